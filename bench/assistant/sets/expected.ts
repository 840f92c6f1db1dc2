export const listOrCount = (key: string, rest: string): string[] => [
  `select ${key} from ${rest}`,
  `select count(*) from ${rest}`,
]

export const month = (column: string): string => `date_trunc('month', ${column})::date`

/** As a percentage or a fraction. */
export const shares = (condition: string, rest: string): string[] =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)

/** By number or name of the same thing. */
export const byEither = (keys: readonly string[], write: (key: string) => string): string[] => keys.map(write)
