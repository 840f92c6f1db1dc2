import { type Catalogue, listColumns } from '../catalogue/catalogue.ts'
import { findNameAt, type NamedThing } from './find-name.ts'

export interface HoverAnswer {
  readonly start: number
  readonly end: number
  readonly code: string
  readonly text: string
}

const MAX_COLUMNS = 20
const MAX_OVERLOADS = 5

export function describeAt(sql: string, offset: number, catalogue: Catalogue): HoverAnswer | undefined {
  const name = findNameAt(sql, offset, catalogue)
  return name && { start: name.start, end: name.end, ...describe(name.thing) }
}

function describe(thing: NamedThing): { code: string; text: string } {
  if (thing.kind === 'column') {
    const { column, owner } = thing
    return { code: `${owner}.${column.name} ${column.type ?? ''}`.trim(), text: column.comment ?? '' }
  }
  if (thing.kind === 'function') {
    const lines = thing.functions
      .slice(0, MAX_OVERLOADS)
      .map((other) => `${other.name}(${other.arguments}) → ${other.result}`)
    const more = thing.functions.length - lines.length
    return {
      code: [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'),
      text: thing.functions.find(({ comment }) => comment !== null)?.comment ?? '',
    }
  }
  const { table } = thing
  const columns = listColumns(table)
  const lines = columns.slice(0, MAX_COLUMNS).map(({ name, type }) => `  ${name} ${type ?? ''}`)
  const more = columns.length - lines.length
  const head = `${table.kind.replaceAll('_', ' ')} ${table.schema}.${table.name}`
  return {
    code: [head, ...lines, ...(more > 0 ? [`  … and ${more} more columns`] : [])].join('\n'),
    text: table.comment ?? '',
  }
}
