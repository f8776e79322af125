"""The first rules of the sample game: the hidden die was worth no step more, and nobody counted how often."""
