"""The inspector: one page that shows a run, and the data that it asks for."""
