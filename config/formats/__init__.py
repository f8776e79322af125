"""How dates and times are written where a page shows them as they are: the admin above all."""
