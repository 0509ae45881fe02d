"""What gravity does to prose: the same turn rendered by a model with one thing changed."""
