"""A story played by itself, many times: by whom, how a run goes, and what all runs come to."""
