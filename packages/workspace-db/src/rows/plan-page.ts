import type { CatalogueColumn, CatalogueTable } from '../catalogue/find-table.ts'
import type { Statement, Value } from '../session/portal.ts'
import { type Cursor, assertCtid, decodeCursor, invalidCursorError } from './cursor.ts'
import { buildTruncatedCell } from './cut-cell.ts'
import {
  type AddParameter,
  type RowFilter,
  badValueError,
  getColumn,
  toConditions,
  createParameterList,
} from './filters.ts'

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
  readonly cursorScope: string
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
  if (sort && !sort.isSortable) throw badValueError(`The column "${sort.name}" has no order. Sort by another one.`)
  const direction = request.direction === 'desc' ? 'desc' : 'asc'
  const cursorScope = `${table.oid}:${sort ? `${direction}:${sort.name}` : ''}`
  const after = request.after === undefined ? undefined : decodeCursor(request.after, cursorScope)
  const isKeyed = table.primaryKey.length > 0 && (table.hasPlaces || table.kind === 'partitioned_table')
  const planning = { table, request, direction, cursorScope, after } as const
  if (!sort && table.hasPlaces && !(request.isByKey && isKeyed)) return planInPhysicalOrder(planning)
  const sortColumn = sort ?? table.primaryKey[0]
  if (sortColumn && (isKeyed || (sort && table.hasPlaces))) return planByKeyset({ ...planning, sortColumn, isKeyed })
  return planByOffset({ ...planning, sort })
}

interface PlanPageInput {
  readonly table: CatalogueTable
  readonly request: PageRequest
  readonly direction: 'asc' | 'desc'
  readonly cursorScope: string
  readonly after: Cursor | undefined
}

/** An alias, so that ORDER BY refers to the table's column, not to its text. */
const ROW = '_row'

function buildSelect({ table, request }: PlanPageInput, sortValue: string) {
  const values: Value[] = []
  const addParameter = createParameterList(values)
  const conditions = toConditions(table, request.filters, addParameter)
  const ctid = table.hasPlaces ? 'ctid::text' : 'null'
  const key =
    table.primaryKey.length > 0
      ? `json_build_array(${table.primaryKey.map((column) => `${column.quoted}::text`).join(', ')})::text`
      : 'null'
  const cells = table.columns.map((column) => `, ${buildTruncatedCell(column.quoted)}`).join('')
  const head = `select ${ctid}, ${key}, ${sortValue}${cells} from ${table.quoted} as ${ROW}`
  const where = () => (conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '')
  return { head, where, conditions, values, place: addParameter }
}

function planInPhysicalOrder(planning: PlanPageInput): PagePlan {
  const { cursorScope: of, after } = planning
  const statement = (limit: number) => {
    const { head, where, conditions, values, place: addParameter } = buildSelect(planning, 'null')
    if (after) conditions.push(`ctid > ${addParameter(assertCtid(after.tie[0]), 'tid')}`)
    return { text: `${head}${where()} limit ${addParameter(String(limit), 'int')}`, values }
  }
  return {
    way: 'places',
    cursorScope: of,
    steps: [{ phase: 'values', statement }],
    note: null,
    offset: 0,
    hasPlaces: true,
    hasNulls: false,
    listTies: ({ place: addParameter }) => (addParameter === null ? [] : [addParameter]),
  }
}

function planByKeyset(planning: PlanPageInput & { sortColumn: CatalogueColumn; isKeyed: boolean }): PagePlan {
  const { table, direction, cursorScope: of, after, sortColumn: by, isKeyed } = planning
  const ties = isKeyed ? table.primaryKey.filter((column) => column !== by) : undefined
  const tieColumns = ties ? ties.map(({ quoted, castType }) => ({ quoted, castType })) : [PLACE]
  const hasNulls = by.isNullable
  const comparison = direction === 'asc' ? '>' : '<'
  const buildIsAfterCondition = (addParameter: AddParameter, tie: readonly string[]) => {
    if (tie.length !== tieColumns.length) throw invalidCursorError()
    if (!ties) assertCtid(tie[0])
    const keys = tieColumns.map(({ castType }, index) => addParameter(tie[index] ?? '', castType))
    return `(${tieColumns.map(({ quoted }) => quoted).join(', ')}) ${comparison} (${keys.join(', ')})`
  }
  const order = tieColumns.map(({ quoted }) => `${ROW}.${quoted} ${direction}`)
  const buildStep = (phase: Cursor['phase'], from: Cursor | undefined): Step => ({
    phase,
    statement(limit) {
      const { head, where, conditions, values, place: addParameter } = buildSelect(planning, `${by.quoted}::text`)
      const isTied = tieColumns.length > 0
      if (phase === 'nulls') {
        conditions.push(`${by.quoted} is null`)
        if (from && isTied) conditions.push(buildIsAfterCondition(addParameter, from.tie))
      } else if (from) {
        const value = addParameter(from.value ?? '', by.castType)
        // The redundant first half lets an index scan start at the right entry.
        if (isTied) conditions.push(`${by.quoted} ${comparison}= ${value}`)
        const isAfter = `${by.quoted} ${comparison} ${value}`
        conditions.push(isTied ? `(${isAfter} or ${buildIsAfterCondition(addParameter, from.tie)})` : isAfter)
      } else if (hasNulls) {
        conditions.push(`${by.quoted} is not null`)
      }
      const sorted = [...(phase === 'values' ? [`${ROW}.${by.quoted} ${direction}`] : []), ...order]
      const orderBy = sorted.length > 0 ? ` order by ${sorted.join(', ')}` : ''
      return { text: `${head}${where()}${orderBy} limit ${addParameter(String(limit), 'int')}`, values }
    },
  })
  const phases: Cursor['phase'][] = !hasNulls
    ? ['values']
    : direction === 'asc'
      ? ['values', 'nulls']
      : ['nulls', 'values']
  const firstPhase = after ? phases.indexOf(after.phase) : 0
  if (firstPhase < 0) throw invalidCursorError()
  const tieKeyIndexes = (ties ?? []).map((column) => table.primaryKey.indexOf(column))
  return {
    way: 'keyset',
    cursorScope: of,
    steps: phases.slice(firstPhase).map((phase, index) => buildStep(phase, index === 0 ? after : undefined)),
    note: null,
    offset: 0,
    hasPlaces: table.hasPlaces,
    hasNulls,
    listTies({ place, key }) {
      if (!ties) return place === null ? [] : [place]
      const keys = key === null ? [] : (JSON.parse(key) as string[])
      return tieKeyIndexes.map((index) => keys[index] ?? '')
    },
  }
}

const PLACE = { quoted: 'ctid', castType: 'tid' }

const NOTES: Partial<Record<CatalogueTable['kind'], string>> = {
  view: 'A view is computed anew for each page',
  foreign_table: 'This table lies in another database and is read anew for each page',
  partitioned_table: 'This table has partitions but no primary key',
}

function planByOffset(planning: PlanPageInput & { sort: CatalogueColumn | undefined }): PagePlan {
  const { table, cursorScope: of, after, sort, direction } = planning
  const offset = after?.offset ?? 0
  if (offset > OFFSET_CAP) throw invalidCursorError()
  const statement = (limit: number) => {
    const { head, where, values, place } = buildSelect(
      { ...planning, table: { ...table, hasPlaces: false, primaryKey: [] } },
      'null',
    )
    const order = sort ? ` order by ${ROW}.${sort.quoted} ${direction}` : ''
    const pageLimit = Math.min(limit, OFFSET_CAP - offset)
    return {
      text: `${head}${where()}${order} limit ${place(String(pageLimit), 'int')} offset ${place(String(offset), 'int')}`,
      values,
    }
  }
  const reason = NOTES[table.kind] ?? 'This table has others that inherit from it'
  return {
    way: 'offset',
    cursorScope: of,
    steps: [{ phase: 'values', statement }],
    note: `${reason}, so only its first ${OFFSET_CAP.toLocaleString('en')} rows can be paged through. Filter or sort it to see others.`,
    offset,
    hasPlaces: false,
    hasNulls: false,
    listTies: () => [],
  }
}
