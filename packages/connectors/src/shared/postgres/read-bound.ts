import type { ReadState } from '@trellis/connector-kit/batch'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { isTime } from './column-kinds.ts'
import { type Link, READER_NAME } from './link.ts'
import { type Target, type TargetColumn, toLiteral } from './target.ts'

export interface ReadProgress {
  /** Everything below is read and final; the next run starts here, inclusive. */
  readonly cursor: string | null
  readonly reached: string | null
  readonly open: readonly string[]
}

const MAX_WAIT_STEPS = 20
const WAIT_STEP_MS = 100

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
 * How far to read, and the next run's start.
 * A row gets its cursor value before it commits: an open transaction can still bring rows below visible values. So the
 * cursor never passes the oldest transaction open when the upper bound was taken. First wait shortly for them to end.
 * Past those that stay open, a time cursor moves up to their start, if the login may see it; otherwise the cursor stays at
 * the last run in which they were not open yet. Call before the read's snapshot is taken.
 */
export async function findReadBound(
  { context, link }: { context: ConnectorContext; link: Link },
  target: Target & { cursor: TargetColumn },
  before: ReadProgress,
): Promise<{ to: string | null; next: ReadProgress }> {
  const { cursor } = target
  const [top] = await link.query(`select max(${cursor.reference}) from ${target.from}`)
  const to = top?.[0] ?? null
  if (to === null) return { to, next: before }
  const first = await listOpen(link, target)
  const canTellStart = isTime(cursor.type) && first.every(({ startedAt }) => startedAt !== null)
  const open = canTellStart ? first : await waitForTransactions({ context, link }, target, first)
  if (open.length === 0) return { to, next: { cursor: to, reached: to, open: [] } }
  const held = canTellStart ? await findOldestStart(link, { cursor, to, open }) : getSafeCursor(before, open)
  const next = await pickLater(link, cursor, [before.cursor, held])
  context.log(
    'INFO',
    `${open.length === 1 ? 'A transaction is' : `${open.length} transactions are`} still open at the source: the next run begins at ${next ?? 'the start'} again, so that nothing they bring is missed.`,
  )
  const unknown = canTellStart ? [] : open.map(({ id }) => id)
  return { to, next: { cursor: next, reached: to, open: unknown } }
}

interface OpenTransaction {
  readonly id: string
  readonly startedAt: string | null
  readonly ageSeconds: string | null
}

/**
 * A sequence value is drawn under the table's write lock, so only lock holders can bring smaller ones. A time is that
 * of the transaction's start: every open one counts.
 */
async function listOpen(link: Link, { cursor, relationId }: Target): Promise<OpenTransaction[]> {
  const isByLock = cursor !== null && !isTime(cursor.type) && relationId !== null
  const asked = isByLock ? link.query(WRITERS, [relationId]) : link.query(OPEN, [READER_NAME])
  const rows = await asked.catch(async (error: unknown) => {
    if (!isForbidden(error)) throw error
    return await link.query(OPEN_XIDS)
  })
  return rows.map(([id, startedAt = null, ageSeconds = null]) => ({ id: id ?? '', startedAt, ageSeconds }))
}

/** A login that may not read pg_locks still sees transactions with an xid. */
const OPEN_XIDS = 'select x::text from pg_snapshot_xip(pg_current_snapshot()) x'
const isForbidden = (error: unknown) =>
  error instanceof ConnectorError && (error.cause as { code?: string } | undefined)?.code === '42501'

const HERE = '(select oid from pg_database where datname = current_database())'

const WRITERS = `
  with recursive parts as (
    select $1::oid as id union all select i.inhrelid from pg_inherits i join parts p on i.inhparent = p.id)
  select distinct virtualtransaction from pg_locks
  where locktype = 'relation' and granted and database = ${HERE} and relation in (select id from parts)
    and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    and pid is distinct from pg_backend_pid()`

const OPEN = `
  select l.virtualtransaction, a.xact_start, extract(epoch from clock_timestamp() - a.xact_start)
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'virtualxid' and l.granted and l.virtualxid = l.virtualtransaction
    and a.datid = ${HERE} and a.usesysid is not null and a.pid <> pg_backend_pid()
    and coalesce(a.application_name, '') <> $1
  union all
  select 'prepared ' || gid, null, null from pg_prepared_xacts where database = current_database()`

async function waitForTransactions(
  { context, link }: { context: ConnectorContext; link: Link },
  target: Target,
  first: readonly OpenTransaction[],
): Promise<readonly OpenTransaction[]> {
  let left = first
  for (let step = 0; step < MAX_WAIT_STEPS && left.length > 0; step += 1) {
    await context.wait(WAIT_STEP_MS)
    const now = new Set((await listOpen(link, target)).map(({ id }) => id))
    left = left.filter(({ id }) => now.has(id))
  }
  return left
}

/** A transaction that the last run did not see began after its upper bound. */
function getSafeCursor(before: ReadProgress, open: readonly OpenTransaction[]): string | null {
  return open.some(({ id }) => before.open.includes(id)) ? before.cursor : before.reached
}

async function findOldestStart(
  link: Link,
  { cursor, to, open }: { cursor: TargetColumn; to: string; open: readonly OpenTransaction[] },
): Promise<string | null> {
  const age = `make_interval(secs => ${Math.max(...open.map(({ ageSeconds }) => Number(ageSeconds)))})`
  const oldest = open.map(({ startedAt }) => startedAt ?? '').toSorted()[0] ?? ''
  // A timestamp without zone depends on the writer's zone; its age does not.
  const bound =
    cursor.type === 'timestamptz'
      ? `least(${toLiteral(cursor, to)}, ${toLiteral(cursor, oldest)})`
      : `(${toLiteral(cursor, to)} - ${age})::${cursor.sqlType}`
  const [row] = await link.query(`select ${bound}`)
  return row?.[0] ?? null
}

async function pickLater(link: Link, cursor: TargetColumn, values: readonly (string | null)[]): Promise<string | null> {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return known[0] ?? null
  const [row] = await link.query(`select greatest(${known.map((value) => toLiteral(cursor, value)).join(', ')})`)
  return row?.[0] ?? null
}

/** An invalid start fails before anything is read. */
export async function parseCursorValue(link: Link, cursor: TargetColumn, text: string): Promise<string> {
  try {
    const [row] = await link.query(`select ${toLiteral(cursor, text)}`)
    return row?.[0] ?? text
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== 'configuration') throw error
    throw new ConnectorError('configuration', `“${text}” is no value of the column ${cursor.name}.`, {
      field: 'query.start',
      advice: 'Write numbers plainly and dates as 2026-01-31.',
      cause: error,
    })
  }
}
