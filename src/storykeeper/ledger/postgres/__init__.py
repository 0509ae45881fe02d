"""Ledgers in a PostgreSQL database: many of them, of many tenants, for many processes.

Every table is keyed by (tenant, run), and every statement names the tenant: the database shows a
transaction the rows of one tenant and no others, and could lie on as many machines as it likes.
"""
