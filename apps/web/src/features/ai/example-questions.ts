const MAX_EXAMPLES = 4

const toWords = (name: string): string => name.replaceAll(/[_-]+/g, ' ').trim().toLowerCase()

/** Questions that the chosen tables can answer whatever their columns are. */
export function buildExampleQuestions(tables: readonly { table_name: string }[]): string[] {
  const all = [...new Set(tables.map(({ table_name }) => toWords(table_name)))]
  // “How many daily revenue?” is no question: names of things that are counted come first.
  const things = all.filter((name) => name.endsWith('s'))
  const names = things.length > 0 ? things : all
  const [first] = names
  if (first === undefined) return []
  const counts = names.slice(0, MAX_EXAMPLES - 1).map((name) => `How many ${name}?`)
  return [...counts, `Number of ${first} by month`]
}
