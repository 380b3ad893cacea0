/** User names of actors: users of keys, keys without a user, and parts of the service. All are made here. */

/** Parts of the service that make writes of their own. */
export const serviceParts = ['maintain', 'compare'] as const
export type ServicePart = (typeof serviceParts)[number]

const ofKeys = 'key:'
const ofService = 'precedent:'
/** Prefixes that a key's user must not have: it would act as another key, or as the service. */
export const reservedPrefixes: readonly string[] = [ofKeys, ofService]

/** The user name of a key that has no user. */
export function userOfKey(id: string): string {
  return `${ofKeys}${id}`
}

export function userOfService(part: ServicePart): string {
  return `${ofService}${part}`
}

/**
 * Whether a name is reserved, or looks like a reserved one: in other case, in compatibility forms, or with invisible
 * characters.
 */
export function isReserved(user: string): boolean {
  const plain = user
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()
    .toLowerCase()
  return reservedPrefixes.some((prefix) => plain.startsWith(prefix))
}
