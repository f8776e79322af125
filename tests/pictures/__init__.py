"""The pictures of the site under docs/pictures, taken anew by `python -m tests.pictures`."""
