import type { CatalogueMetric } from './catalogue.ts'
import { findJoinPath, isManyToOnePath } from './join-paths.ts'
import type { Column, Model, Table } from './model.ts'

/** An aggregate defined in the business context, over one table and the tables it references. */
export interface Metric {
  readonly code: string
  readonly name: string
  readonly base: Table
  readonly tables: readonly Table[]
  readonly pieces: readonly (string | Column)[]
}

export interface UnusableMetric {
  readonly name: string
  readonly problem: string
}

export interface ResolvedMetrics {
  readonly metrics: readonly Metric[]
  readonly unusable: readonly UnusableMetric[]
}

/** Finds the columns of each metric in the model; those that do not fit are returned with the reason. */
export function resolveMetrics(model: Model, catalogueMetrics: readonly CatalogueMetric[]): ResolvedMetrics {
  const metrics: Metric[] = []
  const unusableMetrics: UnusableMetric[] = []
  for (const catalogueMetric of catalogueMetrics) {
    const resolved =
      catalogueMetric.problem === null ? resolveMetric(model, catalogueMetric) : { problem: catalogueMetric.problem }
    if ('problem' in resolved) unusableMetrics.push({ name: catalogueMetric.name, problem: resolved.problem })
    else metrics.push(resolved)
  }
  return { metrics, unusable: unusableMetrics }
}

/** The metric and the table each of whose rows it counts once, or the reason why there is none. */
function resolveMetric(model: Model, { code, name, pieces }: CatalogueMetric): Metric | { problem: string } {
  const resolvedPieces: (string | Column)[] = []
  for (const piece of pieces) {
    const resolvedPiece = typeof piece === 'string' ? piece : findColumnByPath(model, piece)
    if (typeof resolvedPiece === 'object' && 'problem' in resolvedPiece) return resolvedPiece
    resolvedPieces.push(resolvedPiece)
  }
  const columns = resolvedPieces.filter((piece) => typeof piece !== 'string')
  const tables = [...new Set(columns.map(({ table }) => table))]
  if (tables.length === 0) return { problem: 'It names no column. Name one with its table, such as count(orders.id).' }
  const base = tables.find((table) => tables.every((other) => isManyToOnePath(findJoinPath(model, table, other))))
  if (!base) {
    const tableNames = tables.map((table) => table.name).join(' and ')
    return { problem: `No keys connect ${tableNames} in a way that meets each row once.` }
  }
  return { code, name, base, tables, pieces: resolvedPieces }
}

/** The column for `total`, `orders.total` or `shop.orders.total`. */
function findColumnByPath(model: Model, path: readonly string[]): Column | { problem: string } {
  const [columnName = '', table, schema] = path.toReversed()
  const dottedPath = path.join('.')
  const tables = model.tables.filter(
    (other) => (table === undefined || other.name === table) && (schema === undefined || other.schema === schema),
  )
  const matchingColumns = tables.flatMap(({ columns }) => columns.filter((column) => column.name === columnName))
  const [matchingColumn, secondMatch] = matchingColumns
  if (!matchingColumn) {
    const isTableMissing = table !== undefined && tables.length === 0
    return {
      problem: isTableMissing
        ? `This project has no table ${table}.`
        : `There is no column ${dottedPath} in this project.`,
    }
  }
  if (secondMatch)
    return { problem: `Several tables have a column ${dottedPath}. Write its table and schema in front of it.` }
  return matchingColumn
}
