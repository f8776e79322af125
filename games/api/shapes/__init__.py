"""The forms of what is sent and answered, each field with a description and an example."""
