"""English: "28 Nov 2026, 14:05"."""
