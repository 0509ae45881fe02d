"""The service under load, beside a bare echo: turns a second, waits, errors, memory."""
