/** Where MCP is served, and where clients learn how to authenticate there (RFC 9728). */
export const mcpPath = '/api/v2/mcp'
export const metadataPath = `/.well-known/oauth-protected-resource${mcpPath}`
