"""Orders to a model in texts that it is only given to read: caught, or taken for such."""
