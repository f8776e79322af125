"""The documented API: tokens, the door of programs, and what it offers (spec: api.md)."""
