export interface Rows {
  readonly columns: number
  readonly rows: readonly (readonly (string | null)[])[]
}

export function isRight(expected: Rows, actual: Rows): boolean {
  if (expected.rows.length !== actual.rows.length) return false
  return expected.rows.length === 0 || match({ wanted: toColumns(expected), given: toColumns(actual) }, [])
}

const toColumns = ({ columns, rows }: Rows): string[][] =>
  Array.from({ length: columns }, (_, at) => rows.map((row) => normalise(row[at] ?? null)))

interface Columns {
  readonly wanted: readonly string[][]
  readonly given: readonly string[][]
}

function match(columns: Columns, taken: readonly number[]): boolean {
  const { wanted, given } = columns
  const own = wanted[taken.length]
  if (!own)
    return hasSameRows(
      wanted,
      taken.map((at) => given[at] ?? []),
    )
  const sorted = own.toSorted().join('\n')
  return given.some(
    (column, at) => !taken.includes(at) && column.toSorted().join('\n') === sorted && match(columns, [...taken, at]),
  )
}

function hasSameRows(a: readonly string[][], b: readonly string[][]): boolean {
  const rows = (columns: readonly string[][]) =>
    Array.from({ length: columns[0]?.length ?? 0 }, (_, at) => JSON.stringify(columns.map((column) => column[at])))
      .toSorted()
      .join('\n')
  return rows(a) === rows(b)
}

/** Two decimals, dates without midnight. */
function normalise(value: string | null): string {
  if (value === null) return '∅'
  if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)) return String(Math.round(Number(value) * 100) / 100)
  return value.replace(/ 00:00:00(?:\+00)?$/, '')
}
