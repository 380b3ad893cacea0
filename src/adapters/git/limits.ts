/** Bounds of what git may take. They are wide for honest repositories. */
export interface GitLimits {
  /** ms that one question to a remote may take. */
  askMs: number
  /** ms that one fetch may take. */
  fetchMs: number
  /** ms that one read of a mirror may take. Of a listing: between two entries, because its reader parses files meanwhile. */
  readMs: number
  /** Bytes that one fetch may bring. */
  mostBytes: number
  /** Entries of one commit, or changes between two. */
  mostEntries: number
  /** Packs of a mirror before they are made one. git looks into each of them for each object. */
  mostPacks: number
  /** ms for which a commit stays readable after it was fetched, even if nobody says that it is still read. */
  keepMs: number
}

export const usualLimits: GitLimits = {
  askMs: 60_000,
  fetchMs: 15 * 60_000,
  readMs: 15 * 60_000,
  mostBytes: 4 * 1024 ** 3,
  mostEntries: 1_000_000,
  mostPacks: 20,
  keepMs: 60 * 60_000,
}

/** KiB of address space of one process. An object can be made that unpacks to any size, and a tree to any number of files. */
export const memoryToRead = 1024 ** 2
/** KiB. Packing needs some 100 bytes for each object of the repository. */
export const memoryToFetch = 3 * 1024 ** 2
/** Bytes of what git says on standard error. The rest is dropped. */
export const mostSaid = 64 * 1024
/** Bytes of a path. No system can check out longer ones. */
export const longestPath = 4096
/** Bytes of one record in a listing. A name in a tree may have any length. */
export const longestRecord = 1024 * 1024
