"""¥€$ (spec: yes.md): a race to a million across five continents."""
