"""Finds sentences that give orders to a language model, in texts it is only given to read.

`Detector` scores sentences; fitted by `bench.injections.fitting`.
"""
