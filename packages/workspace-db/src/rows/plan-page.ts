import type { CatalogueColumn, CatalogueTable } from '../catalogue/find-table.ts'
import type { Statement, Value } from '../session/portal.ts'
import { type Cursor, assertPlace, decodeCursor, notACursor } from './cursor.ts'
import { readCell } from './cut-cell.ts'
import { type AddParameter, type RowFilter, badValue, getColumn, toConditions, createParameters } from './filters.ts'

/** Views are computed up to the requested page. */
export const OFFSET_CAP = 10_000

export interface PageRequest {
  readonly limit: number
  readonly filters: readonly RowFilter[]
  readonly sort?: string | undefined
  readonly direction?: 'asc' | 'desc' | undefined
  readonly after?: string | undefined
  /** By primary key if unsorted, since updated rows move physically. */
  readonly isByKey?: boolean | undefined
}

interface Step {
  readonly phase: 'values' | 'nulls'
  statement(limit: number): Required<Statement>
}

export interface PagePlan {
  readonly way: 'places' | 'keyset' | 'offset'
  readonly of: string
  readonly steps: readonly Step[]
  readonly note: string | null
  readonly offset: number
  readonly hasPlaces: boolean
  readonly hasNulls: boolean
  listTies(row: { place: Value; key: Value }): readonly string[]
}

/** Statements return place, key and sort value before the cells. */
export function planPage(table: CatalogueTable, request: PageRequest): PagePlan {
  const sort = request.sort === undefined ? undefined : getColumn(table, request.sort)
  if (sort && !sort.isSortable) throw badValue(`The column "${sort.name}" has no order. Sort by another one.`)
  const direction = request.direction === 'desc' ? 'desc' : 'asc'
  const of = `${table.oid}:${sort ? `${direction}:${sort.name}` : ''}`
  const after = request.after === undefined ? undefined : decodeCursor(request.after, of)
  const isKeyed = table.primaryKey.length > 0 && (table.hasPlaces || table.kind === 'partitioned_table')
  const planning = { table, request, direction, of, after } as const
  if (!sort && table.hasPlaces && !(request.isByKey && isKeyed)) return byPlace(planning)
  const by = sort ?? table.primaryKey[0]
  if (by && (isKeyed || (sort && table.hasPlaces))) return byKey({ ...planning, by, isKeyed })
  return byOffset({ ...planning, sort })
}

interface PlanPageInput {
  readonly table: CatalogueTable
  readonly request: PageRequest
  readonly direction: 'asc' | 'desc'
  readonly of: string
  readonly after: Cursor | undefined
}

/** An alias, so that ORDER BY refers to the table's column, not to its text. */
const ROW = '_row'

function begin({ table, request }: PlanPageInput, sortValue: string) {
  const values: Value[] = []
  const place = createParameters(values)
  const conditions = toConditions(table, request.filters, place)
  const ctid = table.hasPlaces ? 'ctid::text' : 'null'
  const key =
    table.primaryKey.length > 0
      ? `json_build_array(${table.primaryKey.map((column) => `${column.quoted}::text`).join(', ')})::text`
      : 'null'
  const cells = table.columns.map((column) => `, ${readCell(column.quoted)}`).join('')
  const head = `select ${ctid}, ${key}, ${sortValue}${cells} from ${table.quoted} as ${ROW}`
  const where = () => (conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '')
  return { head, where, conditions, values, place }
}

function byPlace(planning: PlanPageInput): PagePlan {
  const { of, after } = planning
  const statement = (limit: number) => {
    const { head, where, conditions, values, place } = begin(planning, 'null')
    if (after) conditions.push(`ctid > ${place(assertPlace(after.tie[0]), 'tid')}`)
    return { text: `${head}${where()} limit ${place(String(limit), 'int')}`, values }
  }
  return {
    way: 'places',
    of,
    steps: [{ phase: 'values', statement }],
    note: null,
    offset: 0,
    hasPlaces: true,
    hasNulls: false,
    listTies: ({ place }) => (place === null ? [] : [place]),
  }
}

function byKey(planning: PlanPageInput & { by: CatalogueColumn; isKeyed: boolean }): PagePlan {
  const { table, direction, of, after, by, isKeyed } = planning
  const ties = isKeyed ? table.primaryKey.filter((column) => column !== by) : undefined
  const tieColumns = ties ? ties.map(({ quoted, castType }) => ({ quoted, castType })) : [PLACE]
  const hasNulls = by.isNullable
  const than = direction === 'asc' ? '>' : '<'
  const isBehind = (place: AddParameter, tie: readonly string[]) => {
    if (tie.length !== tieColumns.length) throw notACursor()
    if (!ties) assertPlace(tie[0])
    const keys = tieColumns.map(({ castType }, at) => place(tie[at] ?? '', castType))
    return `(${tieColumns.map(({ quoted }) => quoted).join(', ')}) ${than} (${keys.join(', ')})`
  }
  const order = tieColumns.map(({ quoted }) => `${ROW}.${quoted} ${direction}`)
  const step = (phase: Cursor['phase'], from: Cursor | undefined): Step => ({
    phase,
    statement(limit) {
      const { head, where, conditions, values, place } = begin(planning, `${by.quoted}::text`)
      const isTied = tieColumns.length > 0
      if (phase === 'nulls') {
        conditions.push(`${by.quoted} is null`)
        if (from && isTied) conditions.push(isBehind(place, from.tie))
      } else if (from) {
        const value = place(from.value ?? '', by.castType)
        // The redundant first half lets an index scan start at the right entry.
        if (isTied) conditions.push(`${by.quoted} ${than}= ${value}`)
        const isAfter = `${by.quoted} ${than} ${value}`
        conditions.push(isTied ? `(${isAfter} or ${isBehind(place, from.tie)})` : isAfter)
      } else if (hasNulls) {
        conditions.push(`${by.quoted} is not null`)
      }
      const sorted = [...(phase === 'values' ? [`${ROW}.${by.quoted} ${direction}`] : []), ...order]
      const orderBy = sorted.length > 0 ? ` order by ${sorted.join(', ')}` : ''
      return { text: `${head}${where()}${orderBy} limit ${place(String(limit), 'int')}`, values }
    },
  })
  const phases: Cursor['phase'][] = !hasNulls
    ? ['values']
    : direction === 'asc'
      ? ['values', 'nulls']
      : ['nulls', 'values']
  const first = after ? phases.indexOf(after.phase) : 0
  if (first < 0) throw notACursor()
  const keyAt = (ties ?? []).map((column) => table.primaryKey.indexOf(column))
  return {
    way: 'keyset',
    of,
    steps: phases.slice(first).map((phase, at) => step(phase, at === 0 ? after : undefined)),
    note: null,
    offset: 0,
    hasPlaces: table.hasPlaces,
    hasNulls,
    listTies({ place, key }) {
      if (!ties) return place === null ? [] : [place]
      const keys = key === null ? [] : (JSON.parse(key) as string[])
      return keyAt.map((at) => keys[at] ?? '')
    },
  }
}

const PLACE = { quoted: 'ctid', castType: 'tid' }

const NOTES: Partial<Record<CatalogueTable['kind'], string>> = {
  view: 'A view is computed anew for each page',
  foreign_table: 'This table lies in another database and is read anew for each page',
  partitioned_table: 'This table has partitions but no primary key',
}

function byOffset(planning: PlanPageInput & { sort: CatalogueColumn | undefined }): PagePlan {
  const { table, of, after, sort, direction } = planning
  const offset = after?.offset ?? 0
  if (offset > OFFSET_CAP) throw notACursor()
  const statement = (limit: number) => {
    const { head, where, values, place } = begin(
      { ...planning, table: { ...table, hasPlaces: false, primaryKey: [] } },
      'null',
    )
    const order = sort ? ` order by ${ROW}.${sort.quoted} ${direction}` : ''
    const most = Math.min(limit, OFFSET_CAP - offset)
    return {
      text: `${head}${where()}${order} limit ${place(String(most), 'int')} offset ${place(String(offset), 'int')}`,
      values,
    }
  }
  const why = NOTES[table.kind] ?? 'This table has others that inherit from it'
  return {
    way: 'offset',
    of,
    steps: [{ phase: 'values', statement }],
    note: `${why}, so only its first ${OFFSET_CAP.toLocaleString('en')} rows can be paged through. Filter or sort it to see others.`,
    offset,
    hasPlaces: false,
    hasNulls: false,
    listTies: () => [],
  }
}
