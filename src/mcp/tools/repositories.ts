/** The tools of connected git repositories. */
import { listRepositories } from '../../code/reading/list.ts'
import { searchCode } from '../../code/reading/search/search.ts'
import { findSymbols } from '../../code/reading/symbols/symbols.ts'
import { repositoryTree } from '../../code/reading/tree.ts'
import { codeText, repositoriesText, symbolsText, treeText } from '../base/repository-text.ts'
import { readTool, type Tool } from '../base/tool.ts'

export const repositoryTools: readonly Tool[] = [
  readTool(
    listRepositories,
    {
      name: 'list_repositories',
      title: 'List repositories',
      description:
        'Lists the connected git repositories, with the commit of each that is indexed. Use it to learn the name that get_tree needs, or whether the index is behind.',
    },
    repositoriesText,
  ),
  readTool(
    repositoryTree,
    {
      name: 'get_tree',
      title: 'Show the tree of a repository',
      description:
        'Files and folders of a connected repository at its indexed commit, with languages and numbers of symbols. Use it to find your way in code that you have not checked out. Begin at the root, then name a path.',
    },
    treeText,
  ),
  readTool(
    searchCode,
    {
      name: 'search_code',
      title: 'Search code',
      description:
        'Finds places in the code of connected repositories, by a question in plain words, a name, or "exact text" in quotes. Narrow it with repo:owner/name, lang:, path: and symbol: in q; a - before them leaves out. compact=true answers one line for each place.',
    },
    codeText,
  ),
  readTool(
    findSymbols,
    {
      name: 'find_symbol',
      title: 'Find a definition',
      description:
        'Where a function, class or other name is defined in the connected repositories: also Container.member. match=prefix or match=fuzzy finds names that you know only in part. compact=true leaves out what its comment says.',
    },
    symbolsText,
  ),
]
