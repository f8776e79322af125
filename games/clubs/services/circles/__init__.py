"""Circles of friends: every change of one, under the lock of its row."""
