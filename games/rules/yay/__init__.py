"""YAY! (spec: yay.md): three dice thrown on a board of cells."""
