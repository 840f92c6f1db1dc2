import type { Batch, ReadState, Value } from '@trellis/connector-kit/batch'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ReadRequest, Reading } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { DAY, type Shop, toDay, toIso } from './shop.ts'
import { TABLES, type Table } from './tables.ts'

const BATCH_ROWS = 1000
const LOOK_EVERY = 20_000

interface ShopState {
  readonly cursor?: string
  /** Only during a run: next row, and the fixed time and range the run reads. */
  readonly place?: number
  readonly now?: number
  readonly from?: number
  readonly to?: number
  readonly seen?: number
}

interface Work {
  readonly context: ConnectorContext
  readonly shop: Shop
  readonly table: Table
  readonly state: ShopState
  readonly now: number
  readonly from: number
  readonly to: number
  readonly request: ReadRequest
}

export function readTable(context: ConnectorContext, shop: Shop, request: ReadRequest): Reading {
  const table = tableNamed(request.query['data']?.['stream'])
  const state = (request.state ?? {}) as ShopState
  const now = state.now ?? context.now().getTime()
  const work: Work = { context, shop, table, state, now, ...computeRange(table, state, request), request }
  return {
    fields: table.fields.map(([name, type]) => ({ name, type, isNullable: name === 'coupon' })),
    key: table.key,
    cursor: table.cursor,
    batches: createBatches(work),
  }
}

function tableNamed(name: unknown): Table {
  const table = TABLES.find((candidate) => candidate.name === name)
  if (table) return table
  throw new ConnectorError('configuration', `The shop has no table "${typeof name === 'string' ? name : ''}".`, {
    advice: `Choose one of: ${TABLES.map((other) => other.name).join(', ')}.`,
    field: 'data.stream',
  })
}

function computeRange(table: Table, state: ShopState, { window, query }: ReadRequest): { from: number; to: number } {
  if (state.from !== undefined) return { from: state.from, to: state.to ?? Infinity }
  if (window) return { from: Date.parse(window.from), to: parseEnd(window.to) }
  const dates = query['period']?.['dates'] as
    | { dataTimeframe?: string; startDate?: string; endDate?: string }
    | undefined
  const to = dates?.dataTimeframe === 'rangeDates' && dates.endDate ? parseEnd(dates.endDate) : Infinity
  if (state.cursor !== undefined) return { from: Date.parse(state.cursor) - table.lookbackDays * DAY, to }
  return { from: dates?.startDate ? Date.parse(dates.startDate) : -Infinity, to }
}

const parseEnd = (text: string) => Date.parse(text) + (/^\d{4}-\d{2}-\d{2}$/.test(text) ? DAY - 1 : 0)

async function* createBatches(work: Work): AsyncGenerator<Batch> {
  const { context, shop, table, state, now, from, request } = work
  const count = table.count(shop, now)
  const start = from === -Infinity ? 0 : table.firstSince(shop, from)
  let seen = state.seen ?? -Infinity
  let rows: Value[][] = []
  let given = 0
  for (let index = state.place ?? start; index < count; index += 1) {
    if (index % LOOK_EVERY === 0) await yieldToEventLoop(context)
    const changed = table.changedAt(shop, index, now)
    if (changed < from || changed > work.to) continue
    seen = Math.max(seen, changed)
    rows.push(...table.rowsAt(shop, index, now))
    const isEnough = request.limit !== undefined && given + rows.length >= request.limit
    if (rows.length < BATCH_ROWS && !isEnough) continue
    given += rows.length
    yield { kind: 'rows', rows, state: toReadState(work, index + 1, seen) }
    if (isEnough) return
    await yieldToEventLoop(context)
    rows = []
  }
  yield request.window ? { kind: 'rows', rows } : { kind: 'rows', rows, state: { cursor: computeCursor(work, seen) } }
}

/** Generating rows never awaits: without a pause a cancellation would not be processed. */
async function yieldToEventLoop({ signal, wait }: ConnectorContext): Promise<void> {
  signal.throwIfAborted()
  await wait(0)
}

function computeCursor({ table, state, from }: Work, seen: number): string {
  const before = state.cursor === undefined ? -Infinity : Date.parse(state.cursor)
  const latest = Math.max(seen, before, from === -Infinity ? 0 : from)
  return table.cursor === 'date' ? toDay(latest) : toIso(latest)
}

function toReadState(work: Work, index: number, seen: number): ReadState {
  const { table, state, now, from, to } = work
  const start = state.cursor ?? (table.cursor === 'date' ? toDay(0) : toIso(0))
  return {
    cursor: start,
    place: index,
    now,
    // JSON has no Infinity.
    from: Number.isFinite(from) ? from : 0,
    ...(Number.isFinite(to) ? { to } : {}),
    ...(Number.isFinite(seen) ? { seen } : {}),
  }
}
