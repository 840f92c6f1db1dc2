export interface TabPlace {
  /** From `?tab=`. */
  query: string | null
  /** From the path, as in `/{account}/settings/members`. */
  path: string | undefined
}

const FIRST_TAB = 'details'

/** The tab named in the path wins over the one in the query; a tab that is unknown or not theirs is the first. */
export function getTab({ query, path }: TabPlace, allowed: readonly string[]): string {
  const asked = path ?? query ?? FIRST_TAB
  return allowed.includes(asked) ? asked : FIRST_TAB
}
