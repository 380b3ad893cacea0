/** `precedent import`: imports a folder of decision records, or decisions, memories and tasks from JSONL or CSV. */
import type { Command } from 'commander'
import { standardInput } from '../client/input.ts'
import type { Act, Session } from '../client/session.ts'
import type { ImportOptions } from '../import/import-path.ts'
import { usage } from '../terminal/failure.ts'

export function addImport(program: Command, act: Act): void {
  program
    .command('import')
    .argument(
      '[path]',
      'a folder of decision records, one such record, a .jsonl file (also an export) or a .csv file; - reads JSONL or CSV from standard input; with --repo a folder of the repository',
    )
    .description('import decisions, memories and tasks from files')
    .option(
      '--source <name>',
      'prefix of external ids (default: owner/name of the git remote, else the name of the root folder)',
    )
    .option('--repo <name>', 'read decision records of a connected repository, straight from its mirror')
    .option('--dry-run', 'show what would be imported and what was not understood; send nothing')
    .option('--no-wait', 'do not wait until everything is applied: end once it is accepted')
    .addHelpText(
      'after',
      '\nTo continue an import that was interrupted, run the same command again. Nothing is recorded twice.',
    )
    .action(
      act(async (session: Session, path: string | undefined, options: ImportOptions) => {
        if (options.repo !== undefined) {
          const { importRepository } = await import('../import/import-path.ts')
          return importRepository(session, options.repo, path, options)
        }
        if (path === undefined) throw usage('Nothing to import is named.', 'Give a path, or --repo NAME.')
        if (path === standardInput) {
          const { importStandardInput } = await import('../import/standard-input.ts')
          return importStandardInput(session, options)
        }
        // imported here, so that the other commands start faster
        const { importPath } = await import('../import/import-path.ts')
        return importPath(session, path, options)
      }),
    )
}
