"""Clubs, their chats and matches, and circles of friends, for programs: by the services and limits of the pages."""
