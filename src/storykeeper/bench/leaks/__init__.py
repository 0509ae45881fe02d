"""`bench leaks`: stories with planted secrets, and every window looked through for them."""
