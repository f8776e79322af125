"""Records beyond one match: the monthly files of public ones, a member's own, and sandboxes (spec: records.md)."""
