/** The calls of v2 about connected repositories, a row each, with their examples. */
import { listRepositories } from '../../code/reading/list.ts'
import { searchCode } from '../../code/reading/search/search.ts'
import { findSymbols } from '../../code/reading/symbols/symbols.ts'
import { repositoryTree } from '../../code/reading/tree.ts'
import type { Example } from '../base/example.ts'
import { type Route, read } from '../base/route.ts'

const commit = '9c1185a5c5e9fc54612808977ee8f548b2258d31'

const listExample: Example = {
  request: { q: 'shop', state: ['ready'] },
  response: {
    items: [
      {
        full_name: 'acme/shop',
        default_branch: 'main',
        head: { commit, at: '2026-03-03T08:12:00.000Z' },
        indexed: { commit, at: '2026-03-03T08:12:00.000Z' },
        state: 'ready',
        languages: { typescript: 412_880, markdown: 20_114 },
        counts: { files: 312, symbols: 4_120, skipped: 3 },
        url: 'https://git.example.com/acme/shop.git',
      },
    ],
    has_more: false,
  },
}

const treeExample: Example = {
  request: { repo_full_name: 'acme/shop', path: 'src/orders', depth: 1 },
  response: {
    repo: 'acme/shop',
    commit,
    path: 'src/orders',
    entries: [
      { path: 'src/orders/prices', type: 'directory' },
      { path: 'src/orders/cancel.ts', type: 'file', size: 2_118, language: 'typescript', symbols: 6 },
      { path: 'src/orders/logo.png', type: 'file', size: 10_240, skipped: 'binary' },
    ],
    truncated: false,
  },
}

const searchExample: Example = {
  request: { q: 'when may an order be cancelled lang:ts', repo: ['acme/shop'] },
  response: {
    items: [
      {
        repo: 'acme/shop',
        path: 'src/orders/cancel.ts',
        commit,
        language: 'typescript',
        symbol: 'mayCancel',
        kind: 'function',
        lines: { start: 12, end: 15 },
        snippet: [
          '/** An order may be cancelled until it is packed. */',
          'export function mayCancel({ state }: Order): boolean {',
          "  return state === 'placed' || state === 'paid'",
          '}',
        ].join('\n'),
        score: 0.62,
        url: `https://git.example.com/acme/shop/blob/${commit}/src/orders/cancel.ts#L12-L15`,
      },
    ],
    coverage: { repos: 1, behind: 0 },
  },
}

const symbolsExample: Example = {
  request: { name: 'OrderStore.ordersOf', repo: ['acme/shop'] },
  response: {
    items: [
      {
        name: 'ordersOf',
        kind: 'method',
        container: 'OrderStore',
        repo: 'acme/shop',
        path: 'src/orders/store.ts',
        commit,
        lines: { start: 31, end: 36 },
        signature: 'ordersOf(customer: CustomerId): Order[]',
        doc: 'All orders of a customer, newest first.',
      },
    ],
    coverage: { repos: 1, behind: 0 },
  },
}

export const repositoryRoutes: readonly Route[] = [
  read('GET', '/api/v2/repos', listRepositories, { example: listExample }),
  read('GET', '/api/v2/repos/search', searchCode, { example: searchExample }),
  read('GET', '/api/v2/repos/symbols', findSymbols, { example: symbolsExample }),
  read('GET', '/api/v2/repos/:repo_full_name/tree', repositoryTree, { example: treeExample }),
]
