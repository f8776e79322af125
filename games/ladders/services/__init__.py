"""Every change of a ladder, under the lock of its row."""
