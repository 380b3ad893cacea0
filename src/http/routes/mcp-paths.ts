import { type Scope, scopes } from '../../access/actor.ts'

/** Where MCP is served, and where clients learn how to authenticate there (RFC 9728). */
export const mcpPath = '/api/v2/mcp'
export const metadataPath = `/.well-known/oauth-protected-resource${mcpPath}`

/** All scopes that tools need, for clients that look for them. */
export const scopesOfTools = scopes.filter((scope) => scope !== 'admin')

/** The scopes that a client without a valid key is told to ask for: those of an agent that starts no runs. */
export const scopesOfAgents = ['context:read', 'context:write', 'tasks:read', 'tasks:write'] as const satisfies Scope[]
