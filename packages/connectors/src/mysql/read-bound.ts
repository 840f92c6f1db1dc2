import type { ReadState } from '@trellis/connector-kit/batch'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { type SourceColumn, getColumnKind, isTime, toLiteral, quoteName, quoteText } from './column-kinds.ts'
import type { Link } from './link.ts'
import type { Target } from './target.ts'

export interface ReadProgress {
  readonly cursor: string | null
  readonly reached: string | null
  readonly open: readonly string[]
}

interface Work {
  readonly context: ConnectorContext
  readonly link: Link
}

const MAX_WAIT_STEPS = 20
const WAIT_STEP_MS = 100
/** If the login may not see transactions, none is assumed to last longer. */
const BLIND_SECONDS = 3600

export function parseReadState(state: ReadState | undefined): ReadProgress {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const open = state?.['open']
  return {
    cursor: text(state?.['cursor']),
    reached: text(state?.['reached']),
    open: Array.isArray(open) ? open.map(String) : [],
  }
}

/**
 * How far to read, and the next run's start. A transaction still open may commit rows below visible cursor values, so
 * the cursor never passes the oldest one: a time stops before its start, a number at what was reached before it. Call
 * before the read's snapshot is taken.
 */
export async function findReadBound(
  work: Work,
  target: Target & { cursor: SourceColumn },
  before: ReadProgress,
): Promise<{ to: string | null; next: ReadProgress }> {
  const { cursor } = target
  const { link, context } = work
  const to = await findLargest(link, target)
  if (to === null) return { to, next: before }
  // The server caches the list for 0.1 s; an older list would miss transactions started since.
  await link.query('select sleep(0.12)')
  const first = await listOpen(link)
  const isByTime = isTime(cursor.type)
  const open = first !== undefined && !isByTime ? await waitForTransactions(work, first) : first
  if (open?.length === 0) return { to, next: { cursor: to, reached: to, open: [] } }
  const held = isByTime
    ? await subtractSeconds(link, {
        cursor,
        to,
        seconds: open ? Math.max(...open.map(({ seconds }) => seconds)) : BLIND_SECONDS,
      })
    : getSafeCursor(before, open ?? [])
  const next = pickLater(cursor, before.cursor, held)
  context.log(
    'INFO',
    open
      ? `Transactions are still open at the source: the next run begins at ${next ?? 'the start'} again, so that nothing they bring is missed.`
      : `The user may not see which transactions are open: the next run begins at ${next ?? 'the start'} again. Grant PROCESS to follow more closely.`,
  )
  return { to, next: { cursor: next, reached: to, open: open?.map(({ id }) => id) ?? [] } }
}

async function findLargest(link: Link, { cursor, from }: Target & { cursor: SourceColumn }): Promise<string | null> {
  const { rows, fields } = await link.query(`select max(t.${quoteName(cursor.name)}) from ${from}`)
  const [field] = fields
  const cell = rows[0]?.[0] ?? null
  const value = field ? (getColumnKind(field).convert ?? ((same) => (Buffer.isBuffer(same) ? null : same)))(cell) : null
  return value === null ? null : String(value)
}

interface OpenTransaction {
  readonly id: string
  readonly seconds: number
}

/** Undefined if the login may not see transactions. Times are in the server's zone. */
async function listOpen(link: Link): Promise<OpenTransaction[] | undefined> {
  await link.query(`set session time_zone = 'SYSTEM'`)
  try {
    const { rows } = await link.query(`
      select concat(trx_id, '/', trx_mysql_thread_id), timestampdiff(second, trx_started, now()) + 1
      from information_schema.innodb_trx where trx_mysql_thread_id not in (0, connection_id()) and trx_is_read_only = 0`)
    return rows.map(([id, seconds]) => ({ id: String(id), seconds: Number(seconds) }))
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } }
    if (error instanceof ConnectorError && /ACCESS_DENIED/.test(cause?.code ?? '')) return undefined
    throw error
  } finally {
    await link.query(`set session time_zone = '+00:00'`)
  }
}

async function waitForTransactions(
  { context, link }: Work,
  first: readonly OpenTransaction[],
): Promise<OpenTransaction[]> {
  let left = [...first]
  for (let step = 0; step < MAX_WAIT_STEPS && left.length > 0; step += 1) {
    await context.wait(WAIT_STEP_MS)
    const now = new Set((await listOpen(link))?.map(({ id }) => id))
    left = left.filter(({ id }) => now.has(id))
  }
  return left
}

/** A transaction that the last run did not see began after its upper bound. */
const getSafeCursor = (before: ReadProgress, open: readonly OpenTransaction[]): string | null =>
  open.some(({ id }) => before.open.includes(id)) ? before.cursor : before.reached

async function subtractSeconds(
  link: Link,
  { cursor, to, seconds }: { cursor: SourceColumn; to: string; seconds: number },
): Promise<string> {
  const days = Math.ceil(seconds / 86_400)
  const span = cursor.type === 'date' ? `${days} day` : `${seconds} second`
  const { rows } = await link.query(`select cast(date_sub(${toLiteral(cursor, to)}, interval ${span}) as char)`)
  const text = String(rows[0]?.[0])
  return cursor.type === 'date' ? text : `${text.replace(' ', 'T')}${cursor.type === 'timestamptz' ? 'Z' : ''}`
}

function pickLater({ type }: SourceColumn, a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  const isLater = type === 'integer' || type === 'decimal' || type === 'float' ? Number(a) > Number(b) : a > b
  return isLater ? a : b
}

/** MySQL would read an invalid start as zero. */
export async function parseCursorValue(link: Link, cursor: SourceColumn, text: string): Promise<string> {
  if (!isTime(cursor.type)) {
    toLiteral(cursor, text)
    return text
  }
  const moment = text.replace('T', ' ').replace(/(Z|\+00(:?00)?)$/, '')
  const { rows } = await link.query(
    `select cast(${quoteText(moment)} as ${cursor.type === 'date' ? 'date' : 'datetime(6)'})`,
  )
  if (rows[0]?.[0] !== null && /^\d{4}-\d\d-\d\d/.test(moment)) return moment
  throw new ConnectorError('configuration', `“${text}” is no value of the column ${cursor.name}.`, {
    field: 'query.start',
    advice: 'Write dates as 2026-01-31.',
  })
}
