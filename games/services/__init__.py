"""Every change of a match. A service locks, checks, changes; a refusal is one of `refusals`."""
