"""A client of Club Y: plays and checks matches from a program of one's own."""
