/** The longest query that the service accepts. */
export const longestQuery = 2000
