/** The connected repositories in the operator's file. Rules between fields are in repository-flaws.ts. */
import { z } from 'zod'
import { duration, says } from './fields.ts'
import {
  branchName,
  pathPatterns,
  repositoryAudience,
  repositoryName,
  repositoryUrl,
  secretVariable,
  workspaceId,
} from './repository-fields.ts'

const mostRepositories = 1000

export const repository = z
  .strictObject(
    {
      name: repositoryName.describe('Its full name for callers, such as acme/shop. Each has its own in its workspace.'),
      url: repositoryUrl.describe('https://…, ssh://… or an absolute path, without user and password.'),
      token_env: secretVariable
        .exactOptional()
        .describe('The environment variable with the token for https: `TOKEN`, or `user:TOKEN`.'),
      branch: branchName.exactOptional().describe('The branch that is indexed. Without it: the default of the remote.'),
      audience: repositoryAudience
        .default('workspace')
        .describe('Who sees it: workspace, team:<id> or user:<id>. For everyone else it does not exist.'),
      include: pathPatterns()
        .exactOptional()
        .describe('Only these files are indexed: folders, files, or patterns with *, ** and ?. Without it: all.'),
      exclude: pathPatterns().exactOptional().describe('These files are not indexed, even if `include` names them.'),
      workspace: workspaceId
        .exactOptional()
        .describe('The id of the workspace that it belongs to. Without it: the first workspace of the service.'),
      secret_env: secretVariable
        .exactOptional()
        .describe('The environment variable with the secret for POST /hooks/git/<name>. Without it: no hook.'),
    },
    says('a repository such as { name: acme/shop, url: https://git.example.com/acme/shop.git }'),
  )
  .describe('A repository. Its branch is fetched and indexed.')

export const repositories = z
  .strictObject(
    {
      poll: duration
        .prefault('60s')
        .describe('How often each remote is asked for new commits: a number with s, m or h, from 1s to 24h.'),
      connect: z
        .array(repository, says('a list of repositories'))
        .max(mostRepositories, `must have at most ${mostRepositories} repositories`)
        .default([])
        .describe('The repositories whose tree, code and symbols callers can find.'),
    },
    says('poll and connect'),
  )
  .exactOptional()
  .describe('Git repositories that are indexed for callers (docs/repositories.md).')

export type RepositoryInFile = z.infer<typeof repository>
