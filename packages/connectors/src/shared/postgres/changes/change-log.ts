import type { ChangeLog, ChangePiece, ChangesRequest, RowChange, Snapshot } from '@trellis/connector-kit/change-log'
import type { Batch } from '@trellis/connector-kit/batch'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { CONTINUOUS_ELEMENT, DELETED_AT, readDatabaseQuery } from '../../database-query.ts'
import type { PostgresAddress } from '../address.ts'
import { quoteText } from '../column-kinds.ts'
import { type Link, openLink, openReplicationLink } from '../link.ts'
import { BEGIN } from '../read-by-key.ts'
import { type Piece, readPieces } from '../read-pieces.ts'
import { type Column, type Target, describeTarget } from '../target.ts'
import { parseLsn } from './lsn.ts'
import type { Relation } from './pgoutput.ts'
import {
  assertFreeSlot,
  createSlot,
  dropPublication,
  dropSlot,
  ensurePublication,
  findSlot,
  endSlotReader,
  listSlots,
} from './slots.ts'
import { streamChanges } from './stream-changes.ts'

type GetAddress = (context: ConnectorContext) => PostgresAddress | Promise<PostgresAddress>

export function createPostgresChangeLog(getAddress: GetAddress): ChangeLog {
  const withLink = async <T>(context: ConnectorContext, work: (link: Link) => Promise<T>): Promise<T> => {
    const link = await openLink(context, await getAddress(context))
    try {
      return await work(link)
    } finally {
      await link.close()
    }
  }
  return {
    isWanted: (query) => query['query']?.['kind'] === 'changes',
    isContinuous: (query) => query['query']?.['kind'] === 'changes' && query['query'][CONTINUOUS_ELEMENT] === true,
    getSubject: (query) => {
      const { schema, table, columns, marksDeletes } = getTableName({ query })
      return [schema, table, columns, ...(marksDeletes ? [DELETED_AT] : [])]
    },
    deletedAtField: DELETED_AT,
    marksDeletes: (query) => getTableName({ query }).marksDeletes,
    getTruncateChoice: (query) => getTableName({ query }).truncates,
    openSnapshot: async (context, request) => await openSnapshot(context, await getAddress(context), request),
    openChanges: async (context, request) => await openChanges(context, await getAddress(context), request),
    listSlots: (context, prefix) => withLink(context, (link) => listSlots(link, prefix)),
    dropSlot: (context, slot) =>
      withLink(context, async (link) => {
        await dropSlot(link, slot)
        await dropPublication(link, slot)
      }),
    comparePositions: (one, other) => {
      const [a, b] = [parseLsn(one), parseLsn(other)]
      return a < b ? -1 : a > b ? 1 : 0
    },
  }
}

function getTableName({ query }: Pick<ChangesRequest, 'query'>) {
  const databaseQuery = readDatabaseQuery(query)
  if (databaseQuery.kind === 'table' && databaseQuery.hasChanges) return databaseQuery
  throw new ConnectorError('configuration', 'Only changes of a table can be read from the log.', {
    field: 'query.kind',
  })
}

async function openSnapshot(
  context: ConnectorContext,
  address: PostgresAddress,
  request: ChangesRequest,
): Promise<Snapshot> {
  const query = getTableName(request)
  const link = await openLink(context, address)
  try {
    await dropSlot(link, request.slot)
    await assertFreeSlot(link)
    const target = await describeTarget(link, query)
    await ensurePublication(link, request.slot, query)
    const batches = readSnapshot({ context, address, link, target }, request.slot)
    return { fields: target.fields, key: target.key.map(({ name }) => name), batches }
  } catch (error) {
    await link.close()
    throw error
  }
}

interface SnapshotWork {
  readonly context: ConnectorContext
  readonly address: PostgresAddress
  readonly link: Link
  readonly target: Target
}

async function* readSnapshot({ context, address, link, target }: SnapshotWork, slot: string): AsyncGenerator<Batch> {
  try {
    const replication = await openReplicationLink(context, address)
    let position = ''
    try {
      context.log(
        'INFO',
        `Making the replication slot ${slot}; transactions that are open at the source are waited for.`,
      )
      const made = await createSlot(replication, slot)
      position = made.position
      await link.query(BEGIN)
      await link.query(`set transaction snapshot ${quoteText(made.snapshot)}`)
    } finally {
      await replication.close()
    }
    let held: Piece | undefined
    for await (const piece of readPieces({ link, openSecondConnection: () => openLink(context, address) }, target, {
      conditions: [],
    })) {
      if (held) yield { kind: 'copy', bytes: held.bytes, rowCount: held.rowCount }
      held = piece
    }
    await link.query('commit')
    const { bytes, rowCount } = held ?? { bytes: Buffer.alloc(0), rowCount: 0 }
    yield { kind: 'copy', bytes, rowCount, state: { position } }
  } finally {
    await link.close()
  }
}

async function openChanges(
  context: ConnectorContext,
  address: PostgresAddress,
  request: Parameters<ChangeLog['openChanges']>[1],
): ReturnType<ChangeLog['openChanges']> {
  const { slot, from, passedColumns } = request
  const link = await openLink(context, address)
  try {
    const knownSlotPosition = await findSlot(link, slot)
    const lost = knownSlotPosition ? findGapReason(knownSlotPosition, from) : `the replication slot ${slot} is gone`
    if (!knownSlotPosition || lost !== null) {
      await link.close()
      return { lost: lost ?? '' }
    }
    const target = await describeTarget(link, getTableName(request))
    const shape = watchShape(target, passedColumns)
    await endSlotReader(link, slot)
    const names = target.fields.map(({ name }) => name)
    const key = target.key.map(({ name }) => names.indexOf(name))
    const replication = await openReplicationLink(context, address)
    const stream = streamChanges(replication, { slot, from, fields: names, key, isNewShape: shape.isNew })
    const convert = createConverter(link, target.columns)
    return {
      fields: target.fields,
      key: target.key.map(({ name }) => name),
      target: knownSlotPosition.end,
      newColumns: shape.found,
      next: async (waitMs) => {
        context.signal.throwIfAborted()
        const piece = await stream.take(waitMs).catch((error: unknown) => {
          context.signal.throwIfAborted()
          throw error
        })
        return piece && (await convert(piece))
      },
      confirm: (position) => stream.confirm(position),
      close: async () => {
        await stream.close()
        await link.close()
      },
    }
  } catch (error) {
    await link.close()
    throw error
  }
}

function findGapReason(
  { isLost, confirmed, end }: { isLost: boolean; confirmed: string | null; end: string },
  from: string,
) {
  if (isLost) return 'the source has removed a part of its log that was not read yet (max_slot_wal_keep_size)'
  if (confirmed === null || parseLsn(confirmed) > parseLsn(from))
    return 'changes were read from the replication slot that did not arrive here'
  return parseLsn(from) > parseLsn(end) ? 'the log of the source ends before what was read last' : null
}

/** Detects columns that are new or have another type since the table was described. */
function watchShape({ columns }: Target, passed: readonly string[]) {
  const known = new Set([...columns.map(({ name, typeId }) => `${name}:${typeId}`), ...passed])
  let found: string[] = []
  return {
    found: () => found,
    isNew: (relation: Relation) => {
      const columns = relation.columns.map(({ name, typeId }) => `${name}:${typeId}`)
      if (found.length === 0) found = columns.filter((column) => !known.has(column))
      return found.length > 0
    },
  }
}

/** Arrays, records and money look different in the log than in a query, so the server converts them. */
function createConverter(link: Link, columns: readonly Column[]): (piece: ChangePiece) => Promise<ChangePiece> {
  const places = columns.flatMap((column, index) =>
    column.convert ? [{ ...column, convert: column.convert, place: index }] : [],
  )
  return async (piece) => {
    if (places.length === 0 || piece.changes.length === 0) return piece
    const changes: RowChange[] = piece.changes.map((change) =>
      change.kind === 'write' ? { ...change, values: [...change.values] } : change,
    )
    for (const { place, convert, sqlType } of places) {
      const rows = changes.flatMap((change) =>
        change.kind === 'write' && typeof change.values[place] === 'string' ? [change.values as (string | null)[]] : [],
      )
      if (rows.length === 0) continue
      const converted = await link.query(
        `select ${convert(`v::${sqlType}`)} from unnest($1::text[]) with ordinality u (v, n) order by n`,
        [rows.map((row) => row[place])],
      )
      for (const [at, row] of rows.entries()) row[place] = converted[at]?.[0] ?? null
    }
    return { ...piece, changes }
  }
}
