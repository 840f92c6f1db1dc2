import type { PlanEnding } from './plan-ending.ts'
import { findPath, isUpwards } from '../schema/join-paths.ts'
import { type Table, isDate, listDateColumns, listKeyColumns } from '../schema/model.ts'
import { splitName, toStems } from '../schema/names.ts'
import type { Mention } from './link.ts'
import { getTable } from './question.ts'
import { type Reader, toMeasure } from './reader.ts'

/** "average number of orders per customer" */
export function readAverageCount(reader: Reader, countedMention: Mention | undefined): PlanEnding | undefined {
  const rows = countedMention ?? findAveragedRows(reader)
  if (!reader.hasAverage || !rows || reader.asked.size > 0 || reader.groups.length === 0) return undefined
  if (!countedMention) reader.doubt('what it is divided by', 0.45)
  reader.roles.set(rows, 'measure')
  reader.measures.push(toMeasure(reader, rows, 'count'))
  reader.over = 'average'
  return { base: rows.target.table }
}

function findAveragedRows({ free, groups, question }: Reader): Mention | undefined {
  const [group, second] = groups
  if (group?.kind !== 'table' || second) return undefined
  return free().find((mention) => {
    const table = getTable(mention)
    const isBelow = table && table !== group.table && isUpwards(findPath(question.model, table, group.table))
    return isBelow === true && mention.weight >= 0.9 && /[^s]s$/i.test(mention.words)
  })
}

export const isPerUnit = ({ question }: Reader): boolean =>
  question.phrases.units.some(({ start }) =>
    ['per', 'a', 'daily', 'weekly', 'monthly'].includes(question.tokens[start]?.lower ?? ''),
  )

export const isPerDay = (table: Table): boolean =>
  listKeyColumns(table).some((column) => isDate(column)) || table.primaryKey.length === 0

/** "average order value": sum the lines of each order first. */
export function averagePerOrder(reader: Reader, base: Table): PlanEnding {
  const { question, measures, groups } = reader
  const words = new Set(question.tokens.map(({ stem }) => stem))
  const up = question.model.links.filter((link) => link.from === base)
  const header =
    up.find(({ to }) => toStems(splitName(to.name)).some((part) => words.has(part))) ??
    up.find(({ to }) => listDateColumns(to).length > 0)
  if (!header || groups.length > 0) return { base }
  const [only] = measures
  if (only) measures[0] = { ...only, aggregate: 'sum' }
  for (const column of header.fromColumns) groups.push({ kind: 'column', column, unit: null })
  reader.over = 'average'
  return { base }
}
