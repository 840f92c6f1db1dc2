import type { ResultRows } from '../../sql.queries.ts'

interface NamedColumn {
  readonly name: string
}
export interface ComparedResult {
  readonly columns: readonly NamedColumn[]
  readonly rows: ResultRows
}

interface ComparedRow {
  readonly change: 'added' | 'removed' | 'changed'
  /** Current values; of a removed row the old ones. */
  readonly values: readonly (string | null)[]
  readonly before: readonly (string | null)[] | null
}

export interface Comparison {
  readonly columns: readonly string[]
  readonly rows: readonly ComparedRow[]
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly same: number
  readonly notes: readonly string[]
}

/** A column that is unique in both results, preferring names like `id`. */
export function guessKey(before: ComparedResult, after: ComparedResult): string[] {
  const shared = after.columns.map(({ name }) => name).filter((name) => hasColumn(before, name))
  const isUnique = ({ columns, rows }: ComparedResult, name: string) => {
    const index = columns.findIndex((column) => column.name === name)
    return (
      new Set(rows.map((row) => row[index] ?? null)).size === rows.length && rows.every((row) => row[index] !== null)
    )
  }
  const unique = shared.filter((name) => isUnique(before, name) && isUnique(after, name))
  const key = unique.find((name) => /(^|_)(id|key|code|uuid)$/i.test(name)) ?? unique[0]
  return key === undefined ? [] : [key]
}

const hasColumn = ({ columns }: ComparedResult, name: string) => columns.some((column) => column.name === name)

/** Matches rows by key; without one, rows are equal when all values are. */
export function compareRows(before: ComparedResult, after: ComparedResult, keys: readonly string[]): Comparison {
  const columns = after.columns
    .map(({ name }) => name)
    .filter((name, index, all) => hasColumn(before, name) && all.indexOf(name) === index)
  const keyNames = keys.length > 0 ? keys : columns
  const old = indexRows(before, columns, keyNames)
  const rows: ComparedRow[] = []
  let [added, changed, same] = [0, 0, 0]
  for (const { key, values } of readRows(after, columns, keyNames)) {
    const was = old.rows.get(key)?.shift()
    if (!was) {
      added += 1
      rows.push({ change: 'added', values, before: null })
    } else if (values.every((value, index) => value === was[index])) same += 1
    else {
      changed += 1
      rows.push({ change: 'changed', values, before: was })
    }
  }
  const removedRows = [...old.rows.values()].flat()
  rows.push(...removedRows.map((values): ComparedRow => ({ change: 'removed', values, before: null })))
  return {
    columns,
    rows,
    added,
    removed: removedRows.length,
    changed,
    same,
    notes: listNotes(before, after, old.repeats),
  }
}

function* readRows({ columns, rows }: ComparedResult, names: readonly string[], keys: readonly string[]) {
  const places = names.map((name) => columns.findIndex((column) => column.name === name))
  const keyPlaces = keys.map((name) => columns.findIndex((column) => column.name === name))
  for (const row of rows) {
    yield {
      key: JSON.stringify(keyPlaces.map((index) => row[index] ?? null)),
      values: places.map((index) => row[index] ?? null),
    }
  }
}

function indexRows(result: ComparedResult, names: readonly string[], keys: readonly string[]) {
  const rows = new Map<string, (readonly (string | null)[])[]>()
  let repeats = 0
  for (const { key, values } of readRows(result, names, keys)) {
    const found = rows.get(key)
    if (found) {
      repeats += 1
      found.push(values)
    } else rows.set(key, [values])
  }
  return { rows, repeats }
}

function listNotes(before: ComparedResult, after: ComparedResult, repeats: number): string[] {
  const missing = (comparedResult: ComparedResult, other: ComparedResult) =>
    comparedResult.columns.map(({ name }) => name).filter((name) => !hasColumn(other, name))
  const [removedColumns, come] = [missing(before, after), missing(after, before)]
  return [
    ...(removedColumns.length > 0 ? [`Only the earlier result has ${removedColumns.join(', ')}.`] : []),
    ...(come.length > 0 ? [`Only this result has ${come.join(', ')}.`] : []),
    ...(repeats > 0
      ? [`${repeats.toLocaleString('en-GB')} rows share their key with another and are compared in their order.`]
      : []),
  ]
}
