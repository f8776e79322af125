"""The WebSockets of programs: one of each token, told what concerns its member (spec: streams.md)."""
