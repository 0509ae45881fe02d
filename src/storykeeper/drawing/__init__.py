"""The landscape as a picture: what is to be seen, where it goes, and what it is called there."""
