"""Everything that changes clubs."""
