/** Names that actors have: users of keys, keys without a user, and the parts of the service itself. Each is made here. */

/** Parts of the service that write in their own name. */
export const serviceParts = ['maintain', 'compare'] as const
export type ServicePart = (typeof serviceParts)[number]

const ofKeys = 'key:'
const ofService = 'precedent:'
/** How no user of a key may begin: such a user would act as another key, or as the service. */
export const reservedPrefixes: readonly string[] = [ofKeys, ofService]

/** What a key without a user acts as. */
export function userOfKey(id: string): string {
  return `${ofKeys}${id}`
}

export function userOfService(part: ServicePart): string {
  return `${ofService}${part}`
}

/** Says or looks as if it were one of those names: in other case, in compatibility forms, with invisible characters. */
export function isReserved(user: string): boolean {
  const plain = user
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()
    .toLowerCase()
  return reservedPrefixes.some((prefix) => plain.startsWith(prefix))
}
