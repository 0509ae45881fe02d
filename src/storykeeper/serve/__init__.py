"""The service: stories over HTTP, one address for any chat client, and tools for agents.

    settings   what the operator decides          access     who asks, and what they may
    pool       what is open, and let go           problems   refusals as problem+json
    app        the routes, wired                  proxy/     /v1/chat/completions and its like

Async at the rim; the engine stays as it is and works on a few threads. One process writes a run at
a time: the ledger refuses a second writer by version, and a client is told to ask again.
"""
