"""Replies as people write them, in the formats of their mail programs, and what each is expected to do.

`replies.txt` has one on each line: the program (`programs/<name>.eml`) | the situation (`situations.py`) | what is
written, with `/` for a line's end | the move as JSON, `none`, `help`, or `program` for a mail that nobody wrote.
"""
