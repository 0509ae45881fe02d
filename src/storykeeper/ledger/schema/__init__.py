"""The tables of a ledger file, and how a file of an older schema becomes one of the newest."""
