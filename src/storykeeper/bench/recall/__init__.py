"""`bench memory`: turns that answer, found in several kinds of chat, beside what one would use."""
