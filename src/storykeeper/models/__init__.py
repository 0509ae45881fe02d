"""Language models: the ports, and what stands behind them. Nothing else needs one."""
