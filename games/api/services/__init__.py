"""What members do about the API itself: tokens made and ended."""
