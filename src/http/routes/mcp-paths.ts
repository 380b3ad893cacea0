import type { Scope } from '../../access/actor.ts'

/** Where MCP is served, and where clients learn how to authenticate there (RFC 9728). */
export const mcpPath = '/api/v2/mcp'
export const metadataPath = `/.well-known/oauth-protected-resource${mcpPath}`

/** The scopes that the tools need, for clients that look for them. */
export const scopesOfAgents = ['context:read', 'context:write', 'tasks:read', 'tasks:write'] as const satisfies Scope[]
