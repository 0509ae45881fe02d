"""The service for agents, by the Model Context Protocol: over stdio, or at /mcp of `serve`."""
