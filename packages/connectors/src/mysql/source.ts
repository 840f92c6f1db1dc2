import type { Batch, ReadState, Value } from '@trellis/connector-kit/batch'
import type { ReadRequest, Reading, Source } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { readConnection } from '../shared/connection-forma.ts'
import {
  type DatabaseQuery,
  buildDatabaseQueryForma,
  createTableQuery,
  readDatabaseQuery,
} from '../shared/database-query.ts'
import { type SourceColumn, toLiteral, quoteName } from './column-kinds.ts'
import { type Link, type Row, openLink } from './link.ts'
import { type ReadProgress, parseCursorValue, findReadBound, parseReadState } from './read-bound.ts'
import { type Target, describeTarget } from './target.ts'

interface MysqlState extends ReadProgress {
  readonly pending?: PendingRead
}
interface PendingRead {
  readonly to: string | null
  readonly next: ReadProgress
  readonly after: readonly string[]
  /** `Target.keyOrder`, which `after` belongs to. */
  readonly key?: readonly string[]
}
interface Work {
  readonly context: ConnectorContext
  readonly link: Link
}
interface TableRead {
  readonly request: ReadRequest
  readonly query: DatabaseQuery
  readonly target: Target
}

const CONNECTED = ''
const BATCH = { rows: 1000, characters: 256 * 1024 }

export const source: Source = {
  queryFormas: [buildDatabaseQueryForma('mysql', { sqlHint: 'select * from orders' })],
  buildQuery: createTableQuery(CONNECTED),
  read: async (context, request) => {
    const link = await openLink(context, readConnection(context.values))
    try {
      return await startReading({ context, link }, request)
    } catch (error) {
      await link.close()
      throw error
    }
  },
}

const withDatabaseName = (query: DatabaseQuery, schema: string): DatabaseQuery =>
  query.kind === 'table' && query.schema === CONNECTED ? { ...query, schema } : query

async function startReading(work: Work, request: ReadRequest): Promise<Reading> {
  const query = withDatabaseName(readDatabaseQuery(request.query), readConnection(work.context.values).database)
  // The user's SQL must not write, even while it is only described.
  await work.link.query('start transaction read only')
  const target = await describeTarget(work.link, query)
  await work.link.query('commit')
  return {
    fields: target.fields,
    key: target.key.map(({ name }) => name),
    cursor: target.cursor?.name ?? null,
    batches: readBatches(work, { request, query, target }),
  }
}

async function* readBatches(work: Work, requestedTableRead: TableRead): AsyncGenerator<Batch> {
  const { link } = work
  const { target, query } = requestedTableRead
  const unreal = new Map<number, UnrealDates>()
  try {
    if (query.kind === 'sql') await limitTime(link, query.timeoutMs)
    const plan = await planRead(work, requestedTableRead)
    await link.query('start transaction with consistent snapshot, read only')
    const places = target.key.map(({ name }) => target.fields.findIndex((field) => field.name === name))
    let held: Value[][] | undefined
    for await (const rows of link.stream(buildSelect(target, plan, requestedTableRead.request.limit), BATCH)) {
      if (held) yield toBatch(held, plan.stateAt?.(toKey(held, places)))
      held = convertRows(rows, target, unreal)
    }
    await link.query('commit')
    yield toBatch(held ?? [], plan.finalState)
  } finally {
    for (const [at, dates] of unreal) warnAboutDates(work.context, target.fields[at]?.name ?? '', dates)
    await link.close()
  }
}

const toBatch = (rows: Value[][], state: MysqlState | undefined): Batch => ({
  kind: 'rows',
  rows,
  ...(state && { state: state as unknown as ReadState }),
})

const toKey = (rows: Value[][], places: readonly number[]) => places.map((at) => String(rows.at(-1)?.[at]))

interface UnrealDates {
  readonly count: number
  readonly example: string
}

function convertRows(rows: Row[], { conversions }: Target, unreal: Map<number, UnrealDates>): Value[][] {
  for (const { at, convert } of conversions) {
    for (const row of rows) {
      const cell = row[at] ?? null
      const value = convert(cell)
      if (value === null && cell !== null) {
        const { count = 0, example = String(cell) } = unreal.get(at) ?? {}
        unreal.set(at, { count: count + 1, example })
      }
      row[at] = value as Row[number]
    }
  }
  return rows as Value[][]
}

function warnAboutDates(context: ConnectorContext, column: string, { count, example }: UnrealDates): void {
  const values = count === 1 ? '1 value is no real date' : `${count} values are no real dates`
  context.log('WARNING', `${column}: ${values}, such as ${example}, and became empty.`)
}

function buildSelect(target: Target, plan: Plan, limit: number | undefined): string {
  const { key, filter } = target
  const conditions = [...(filter === null ? [] : [`(\n${filter}\n)`]), ...plan.conditions]
  if (plan.after) conditions.push(buildKeysetCondition(key, plan.after))
  const order = key.map(({ name }) => `t.${quoteName(name)}`).join(', ')
  return [
    `select ${target.selectList} from ${target.from}`,
    conditions.length > 0 ? `where ${conditions.join(' and ')}` : '',
    key.length > 0 && limit === undefined ? `order by ${order}` : '',
    limit === undefined ? '' : `limit ${limit}`,
  ].join(' ')
}

/** OR conditions by column: MySQL does not use the index for a row comparison. */
function buildKeysetCondition(
  [column, ...rest]: readonly SourceColumn[],
  [value = '', ...values]: readonly string[],
): string {
  if (!column) return 'false'
  const name = `t.${quoteName(column.name)}`
  const text = toLiteral(column, value)
  if (rest.length === 0) return `${name} > ${text}`
  return `(${name} >= ${text} and (${name} > ${text} or ${buildKeysetCondition(rest, values)}))`
}

interface Plan {
  readonly conditions: readonly string[]
  readonly after?: readonly string[] | undefined
  readonly finalState?: MysqlState | undefined
  readonly stateAt?: ((after: string[]) => MysqlState) | undefined
}

async function planRead(work: Work, { request, query, target }: TableRead): Promise<Plan> {
  const { cursor } = target
  const pending = (request.state as MysqlState | undefined)?.pending
  if (request.window) return { conditions: await windowConditions(work.link, cursor, request.window) }
  if (pending) assertSameKey(pending, target)
  if (!cursor) {
    const nowhere: ReadProgress = { cursor: null, reached: null, open: [] }
    const stateAt = createStateAt(target, { before: nowhere, to: null, next: nowhere })
    return { conditions: [], after: pending?.after, finalState: nowhere, stateAt }
  }
  const readState = parseReadState(request.state)
  const start =
    readState.cursor ?? (query.start === null ? null : await parseCursorValue(work.link, cursor, query.start))
  const before = { ...readState, cursor: start }
  if (request.limit !== undefined) return { conditions: buildCursorRange(cursor, start, null) }
  const { to, next } = pending ?? (await findReadBound(work, { ...target, cursor }, before))
  return {
    conditions: buildCursorRange(cursor, start, to),
    after: pending?.after,
    finalState: next,
    stateAt: createStateAt(target, { before, to, next }),
  }
}

function assertSameKey({ after, key }: PendingRead, { key: columns, keyOrder }: Target): void {
  // Checkpoints of earlier versions do not tell the key.
  const isSame = key ? JSON.stringify(key) === JSON.stringify(keyOrder) : after.length === columns.length
  if (keyOrder === null || columns.length === 0 || !isSame) throw new SourceChanged('The table')
}

interface Bounds {
  readonly before: ReadProgress
  readonly to: string | null
  readonly next: ReadProgress
}

function createStateAt({ key: columns, keyOrder: key }: Target, { before, to, next }: Bounds): Plan['stateAt'] {
  if (columns.length === 0 || key === null) return undefined
  return (after) => ({ ...before, pending: { to, next, after, key } })
}

function buildCursorRange(cursor: SourceColumn, from: string | null, to: string | null): string[] {
  const name = `t.${quoteName(cursor.name)}`
  if (from === null) return to === null ? [] : [`(${name} <= ${toLiteral(cursor, to)} or ${name} is null)`]
  return [`${name} >= ${toLiteral(cursor, from)}`, ...(to === null ? [] : [`${name} <= ${toLiteral(cursor, to)}`])]
}

async function windowConditions(
  link: Link,
  cursor: SourceColumn | null,
  { from, to }: { from: string; to: string },
): Promise<string[]> {
  if (cursor)
    return buildCursorRange(
      cursor,
      await parseCursorValue(link, cursor, from),
      await parseCursorValue(link, cursor, to),
    )
  throw new ConnectorError('configuration', 'A range of time can only be read by a cursor column.', {
    field: 'query.cursor',
    advice: 'Choose the column that says when a row was created or changed.',
  })
}

async function limitTime(link: Link, timeoutMs: number): Promise<void> {
  const { rows } = await link.query('select version()')
  const isMaria = /mariadb/i.test(String(rows[0]?.[0]))
  await link.query(
    isMaria
      ? `set session max_statement_time = ${timeoutMs / 1000}`
      : `set session max_execution_time = ${Math.ceil(timeoutMs)}`,
  )
}
