/** `precedent import`: a folder of decision records, JSON lines or CSV, sent in batches and followed to the end. */
import type { Command } from 'commander'
import type { ImportOptions } from '../import/import-path.ts'
import type { Act, Session } from '../session.ts'

export function addImport(program: Command, act: Act): void {
  program
    .command('import')
    .argument('<path>', 'a folder of decision records, a .jsonl file (an export too) or a .csv file')
    .description('record decisions and memories that are written down elsewhere')
    .option(
      '--source <name>',
      'what external ids begin with (default: owner/name of the git remote, else the folder’s name)',
    )
    .option('--dry-run', 'show what would be imported and what was not understood; send nothing')
    .option('--no-wait', 'end when all is accepted, without waiting until it is applied')
    .addHelpText(
      'after',
      '\nAn import that was interrupted goes on when the same command is run again: nothing is doubled.',
    )
    .action(
      act(async (session: Session, path: string, options: ImportOptions) => {
        // only here: the other verbs start faster without what reads Markdown and CSV
        const { importPath } = await import('../import/import-path.ts')
        return importPath(session, path, options)
      }),
    )
}
