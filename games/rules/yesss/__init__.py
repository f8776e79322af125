"""YESSS! (spec: yesss.md): one word for two pictures, against each other or together against the clock."""
