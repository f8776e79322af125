"""The WebSockets of open pages: who is at the other end, what they are told and shown, the moves that they send."""
