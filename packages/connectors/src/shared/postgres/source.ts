import type { Batch, ReadState } from '@trellis/connector-kit/batch'
import type { ChangeLog } from '@trellis/connector-kit/change-log'
import type { ReadRequest, Reading, Source } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { type DatabaseQuery, buildDatabaseQueryForma, createTableQuery, readDatabaseQuery } from '../database-query.ts'
import type { PostgresAddress } from './address.ts'
import { openLink } from './link.ts'
import { BEGIN, type Links } from './read-by-key.ts'
import { type Piece, type ReadPosition, readPieces } from './read-pieces.ts'
import { type ReadProgress, parseCursorValue, findReadBound, parseReadState } from './read-bound.ts'
import { type Target, type TargetColumn, describeTarget, toLiteral } from './target.ts'

/** `pending` is set only during a run. */
interface PostgresState extends ReadProgress {
  readonly pending?: { readonly to: string | null; readonly next: ReadProgress; readonly place: ReadPosition }
}

export function createPostgresSource(
  code: string,
  getAddress: (context: ConnectorContext) => PostgresAddress | Promise<PostgresAddress>,
  changeLog?: ChangeLog,
): Source {
  const hasChangeLog = changeLog !== undefined
  return {
    ...(changeLog && { changeLog }),
    queryFormas: [buildDatabaseQueryForma(code, { sqlHint: 'select * from public.orders', hasChangeLog })],
    buildQuery: createTableQuery('public'),
    read: async (context, request) => {
      const address = await getAddress(context)
      const link = await openLink(context, address)
      try {
        return await startReading({ context, link, openSecondConnection: () => openLink(context, address) }, request)
      } catch (error) {
        await link.close()
        throw error
      }
    },
  }
}

interface Work extends Links {
  readonly context: ConnectorContext
}

async function startReading(work: Work, request: ReadRequest): Promise<Reading> {
  const query = readDatabaseQuery(request.query)
  // The user's SQL must not write, even while it is only described.
  await work.link.query('begin read only')
  const target = await describeTarget(work.link, query)
  await work.link.query('commit')
  return {
    fields: target.fields,
    key: target.key.map(({ name }) => name),
    cursor: target.cursor?.name ?? null,
    batches: readBatches(work, { request, query, target }),
  }
}

interface TableRead {
  readonly request: ReadRequest
  readonly query: DatabaseQuery
  readonly target: Target
}

async function* readBatches(work: Work, requestedTableRead: TableRead): AsyncGenerator<Batch> {
  const { link } = work
  const { target, query, request } = requestedTableRead
  try {
    const plan = await planRead(work, requestedTableRead)
    await link.query(BEGIN)
    if (query.kind === 'sql') await link.query(`select set_config('statement_timeout', $1, true)`, [query.timeoutMs])
    const { limit, isInKeyOrder } = request
    const { conditions, place } = plan
    const pieces = readPieces(work, target, { conditions, place, limit, isInKeyOrder })
    let held: Piece | undefined
    for await (const piece of pieces) {
      if (held) yield toBatch(held, held.place && plan.stateAt?.(held.place))
      held = piece
    }
    await link.query('commit')
    yield toBatch(held ?? { bytes: Buffer.alloc(0), rowCount: 0 }, plan.finalState)
  } finally {
    await link.close()
  }
}

const toBatch = ({ bytes, rowCount }: Piece, state: PostgresState | undefined): Batch => ({
  kind: 'copy',
  bytes,
  rowCount,
  ...(state && { state: state as unknown as ReadState }),
})

interface Plan {
  readonly conditions: readonly string[]
  readonly place?: ReadPosition | undefined
  readonly finalState?: PostgresState | undefined
  readonly stateAt?: ((position: ReadPosition) => PostgresState) | undefined
}

async function planRead(work: Work, { request, query, target }: TableRead): Promise<Plan> {
  const { cursor } = target
  const pending = (request.state as PostgresState | undefined)?.pending
  if (request.window) return { conditions: await windowConditions(work, cursor, request.window) }
  if (!cursor) {
    const nowhere: ReadProgress = { cursor: null, reached: null, open: [] }
    return {
      conditions: [],
      place: pending?.place,
      finalState: nowhere,
      stateAt: (position) => ({ ...nowhere, pending: { to: null, next: nowhere, place: position } }),
    }
  }
  const before = await findStart(work, { cursor, query, state: request.state })
  if (request.limit !== undefined) return { conditions: buildCursorRange(cursor, before.cursor, null) }
  const { to, next } = pending ?? (await findReadBound(work, { ...target, cursor }, before))
  return {
    conditions: buildCursorRange(cursor, before.cursor, to),
    place: pending?.place,
    finalState: next,
    stateAt: (position) => ({ ...before, pending: { to, next, place: position } }),
  }
}

async function findStart(
  { link }: Work,
  { cursor, query, state }: { cursor: TargetColumn; query: DatabaseQuery; state: ReadState | undefined },
): Promise<ReadProgress> {
  const readState = parseReadState(state)
  if (readState.cursor !== null || query.start === null) return readState
  return { ...readState, cursor: await parseCursorValue(link, cursor, query.start) }
}

function buildCursorRange(cursor: TargetColumn, from: string | null, to: string | null): string[] {
  const { reference } = cursor
  if (from === null) return to === null ? [] : [`(${reference} <= ${toLiteral(cursor, to)} or ${reference} is null)`]
  return [
    `${reference} >= ${toLiteral(cursor, from)}`,
    ...(to === null ? [] : [`${reference} <= ${toLiteral(cursor, to)}`]),
  ]
}

async function windowConditions(
  { link }: Work,
  cursor: TargetColumn | null,
  window: { from: string; to: string },
): Promise<string[]> {
  if (!cursor) {
    throw new ConnectorError('configuration', 'A range of time can only be read by a cursor column.', {
      field: 'query.cursor',
      advice: 'Choose the column that says when a row was created or changed.',
    })
  }
  return buildCursorRange(
    cursor,
    await parseCursorValue(link, cursor, window.from),
    await parseCursorValue(link, cursor, window.to),
  )
}
