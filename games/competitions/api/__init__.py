"""Tournaments for programs: found, entered and organised, by the services and limits of the pages."""
