export interface TabLocation {
  query: string | null
  path: string | undefined
}

const FIRST_TAB = 'details'

/** The path wins over the query; an unknown or forbidden tab falls back to the first. */
export function getTab({ query, path }: TabLocation, allowed: readonly string[]): string {
  const requestedTab = path ?? query ?? FIRST_TAB
  return allowed.includes(requestedTab) ? requestedTab : FIRST_TAB
}
