"""What an author wrote: the model, the reader, the checks."""
