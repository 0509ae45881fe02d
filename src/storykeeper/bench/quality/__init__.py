"""The quality figures of a run of a field: `storykeeper eval`."""
