"""Everything that changes tournaments."""
