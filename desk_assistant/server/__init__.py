"""The memory as a local service: MCP for assistants and editors, and a small HTTP API, for programs of this machine.

Both faces offer the same `operations`; who may use them, and how much, is said in one place each (`clients`, `limits`,
`guard`). Nothing listens on an address that another machine could reach. This package needs the extra `server`.
"""
