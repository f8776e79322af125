"""Django's own, but for the time of day, as French writes it; in a list the short form of a date is read faster."""

TIME_FORMAT = "G\u00a0\\h\u00a0i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = f"d/m/Y à {TIME_FORMAT}"
