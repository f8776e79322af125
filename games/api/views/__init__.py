"""The pages of the API: to read and try it, and to make tokens."""
