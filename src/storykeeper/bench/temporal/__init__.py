"""Questions of time, measured."""
