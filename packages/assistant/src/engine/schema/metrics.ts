import type { CatalogueMetric } from './catalogue.ts'
import { findPath, isUpwards } from './join-paths.ts'
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

export function resolveMetrics(model: Model, list: readonly CatalogueMetric[]): ResolvedMetrics {
  const metrics: Metric[] = []
  const unusable: UnusableMetric[] = []
  for (const catalogueMetric of list) {
    const resolved =
      catalogueMetric.problem === null ? resolveMetric(model, catalogueMetric) : { problem: catalogueMetric.problem }
    if ('problem' in resolved) unusable.push({ name: catalogueMetric.name, problem: resolved.problem })
    else metrics.push(resolved)
  }
  return { metrics, unusable }
}

function resolveMetric(model: Model, { code, name, pieces }: CatalogueMetric): Metric | { problem: string } {
  const resolved: (string | Column)[] = []
  for (const piece of pieces) {
    const part = typeof piece === 'string' ? piece : findColumn(model, piece)
    if (typeof part === 'object' && 'problem' in part) return part
    resolved.push(part)
  }
  const columns = resolved.filter((piece) => typeof piece !== 'string')
  const tables = [...new Set(columns.map(({ table }) => table))]
  if (tables.length === 0) return { problem: 'It names no column. Name one with its table, such as count(orders.id).' }
  const base = tables.find((table) => tables.every((other) => isUpwards(findPath(model, table, other))))
  if (!base) {
    const names = tables.map((table) => table.name).join(' and ')
    return { problem: `No keys connect ${names} in a way that meets each row once.` }
  }
  return { code, name, base, tables, pieces: resolved }
}

function findColumn(model: Model, path: readonly string[]): Column | { problem: string } {
  const [name = '', table, schema] = path.toReversed()
  const written = path.join('.')
  const tables = model.tables.filter(
    (other) => (table === undefined || other.name === table) && (schema === undefined || other.schema === schema),
  )
  const found = tables.flatMap(({ columns }) => columns.filter((column) => column.name === name))
  const [only, second] = found
  if (!only) {
    const isGone = table !== undefined && tables.length === 0
    return {
      problem: isGone ? `This project has no table ${table}.` : `There is no column ${written} in this project.`,
    }
  }
  if (second) return { problem: `Several tables have a column ${written}. Write its table and schema in front of it.` }
  return only
}
