/** The tools of connected git repositories. */
import { listRepositories } from '../../code/reading/list.ts'
import { repositoryTree } from '../../code/reading/tree.ts'
import { repositoriesText, treeText } from '../base/repository-text.ts'
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
]
