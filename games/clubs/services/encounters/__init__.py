"""Club against club: every change of an encounter, under the lock of its row."""
