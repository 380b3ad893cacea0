/** The endpoint of MCP, and its description for clients that look for a way to authenticate. */
import type { Route } from '../base/route.ts'
import { mcpPath, metadataPath, scopesOfTools } from './mcp-paths.ts'

export const mcpRoutes: readonly Route[] = [
  {
    kind: 'mcp',
    method: 'POST',
    path: mcpPath,
    summary: 'The Model Context Protocol: tools, resources and prompts for agents.',
  },
  {
    kind: 'page',
    method: 'GET',
    path: metadataPath,
    summary: 'How to authenticate at the endpoint of MCP (RFC 9728): with a key in the header.',
    show(ctx, { publicUrl }) {
      ctx.body = {
        resource: `${publicUrl}${mcpPath}`,
        resource_name: 'Precedent',
        bearer_methods_supported: ['header'],
        scopes_supported: scopesOfTools,
        resource_documentation: `${publicUrl}/docs`,
      }
    },
  },
]
