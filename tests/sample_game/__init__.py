"""A dice race of two seats, each with a hidden die: the smallest game, to be copied for a new one."""
