"""`bench perception`: who perceives which piece of narrated prose, and where everyone is then."""
