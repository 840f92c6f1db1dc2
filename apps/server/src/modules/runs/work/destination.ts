import type { Field } from '@trellis/connector-kit/batch'
import { countRows } from '@trellis/connector-kit/batch'
import type { WriteRequest, Writer } from '@trellis/connector-kit/connector'
import type { DestinationSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Connection } from '../../integrations/connections.service.ts'
import { openRunConnection, toRunProblem } from '../../integrations/connection/run-connections.service.ts'
import { toLoadId } from './loads/load-id.ts'
import { toLoadFault } from './loads/load-faults.ts'
import { openRunDatabase } from './loads/load-session.ts'
import { EXPORT, type ExportSnapshot, takeSnapshot } from './managed/export-snapshot.ts'
import { describeQuery, type ManagedQuery, toInputQuery } from './managed/managed-query.ts'
import { withManagedSession } from './managed/managed-session.ts'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { RunStopped } from '../runner/held-run.ts'
import { RunFault, type RunWork } from '../runner/run-work.ts'
import { assertNotDryRun } from './dry-run.ts'
import { formatRowCount } from './row-words.ts'

type DestinationWork = RunWork<DestinationSettings>
type NamedConnection = Connection & { readonly name: string }

const ABANDON_MS = 30_000

/** Sends a snapshot of a table or query to a connected system. */
export async function runDestination(work: DestinationWork): Promise<void> {
  assertNotDryRun(work)
  const { integration_trellis_code: code, input } = work.block.settings
  if (code === null)
    throw new RunFault('configuration', 'No connection is chosen to send to.', {
      advice: 'Choose one and publish the block.',
    })
  const connection = await connect(work, code, work.signal)
  const database = await openRunDatabase(work.ctx, work.workspace)
  const destinationWrite: DestinationWrite = { connection }
  await work.markWorking()
  try {
    await withManagedSession(database, work, async (session) => {
      const query = applyDataModel(await describeQuery(session, toInputQuery(input)), work.block.settings)
      const snapshot = await takeSnapshot({ work, session, query })
      if (snapshot) await send(work, destinationWrite, snapshot)
      else work.log('INFO', 'An earlier attempt had sent everything already.')
    })
  } catch (error) {
    const fault = toLoadFault(error, EXPORT) ?? toConnectorFault(work, error, connection)
    if (destinationWrite.writer && isLastAttempt(work, fault)) await abandonLoad(work, code, destinationWrite)
    work.signal.throwIfAborted()
    throw fault
  }
}

async function connect(work: DestinationWork, integrationCode: string, signal: AbortSignal): Promise<NamedConnection> {
  const { ctx, account, workspace } = work
  try {
    return await openRunConnection(
      ctx,
      { accountId: account.id, workspace, integrationCode },
      { signal, log: (level, message) => work.log(level, message) },
    )
  } catch (error) {
    throw toConnectorFault(work, error, undefined)
  }
}

function toConnectorFault({ ctx }: DestinationWork, error: unknown, connection: Connection | undefined): RunFault {
  if (error instanceof RunFault) return error
  const { kind, message, advice, retryAfterMs } = toRunProblem(ctx, error, connection)
  // Without the cause, which may contain secrets and would be logged.
  return new RunFault(kind, message, {
    ...(advice !== null && { advice }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

interface DestinationWrite {
  readonly connection: NamedConnection
  writer?: Writer
  fields?: readonly Field[]
}

async function send(
  work: DestinationWork,
  destinationWrite: DestinationWrite,
  snapshot: ExportSnapshot,
): Promise<void> {
  const { connection } = destinationWrite
  const { rows, isNew, fields } = snapshot
  const startText = isNew
    ? `${formatRowCount(rows)} to send to ${connection.name}.`
    : `Going on with the ${formatRowCount(rows)} that were read before.`
  work.log('INFO', startText)
  const writer = await openWriterForSnapshot(work, connection, snapshot)
  destinationWrite.writer = writer
  destinationWrite.fields = fields
  if (writer.committedBatches > 0) {
    const batches = writer.committedBatches.toLocaleString('en')
    work.log('INFO', `${batches} batches had arrived before and are not sent again.`)
  }
  for await (const batch of snapshot.batches(writer.committedBatches)) {
    work.count({ rows_read: countRows(batch), bytes: batch.bytes.byteLength })
    await writer.write(batch)
    work.count({ rows_written: countRows(batch) })
    work.markCommitted()
  }
  const result = await writer.finish()
  work.log('INFO', `${formatRowCount(result.rows)} arrived in ${connection.name}.`)
  await snapshot.settle()
  work.markCommitted()
}

/** Batches are skipped by number, so the rows must come from the same snapshot. */
async function openWriterForSnapshot(
  work: DestinationWork,
  connection: NamedConnection,
  { isNew, fields }: ExportSnapshot,
): Promise<Writer> {
  const writer = await openWriter(work, connection, fields)
  if (!isNew || writer.committedBatches === 0) return writer
  work.log('WARNING', 'The rows that were sent before are not kept any more. They are rolled back and sent again.')
  await writer.abandon()
  const secondWriter = await openWriter(work, connection, fields)
  if (secondWriter.committedBatches === 0) return secondWriter
  throw new RunFault('configuration', `The rows ${connection.name} already has of this run can not be rolled back.`, {
    advice: 'Run the block again instead of retrying this run.',
  })
}

async function openWriter(
  work: DestinationWork,
  connection: NamedConnection,
  fields: readonly Field[],
): Promise<Writer> {
  const { connector, context } = connection
  if (!connector.destination) throw new RunFault('configuration', `${connector.name} can not be written to.`)
  return await connector.destination.open(context, toWriteRequest(work, fields))
}

function toWriteRequest({ block, run }: DestinationWork, fields: readonly Field[]): WriteRequest {
  const { query, strategy, dataModel } = block.settings
  const key = (dataModel?.primary_keys ?? []).map((name) => dataModel?.column_mapping[name] ?? name)
  return { query, strategy, fields, key, loadId: toLoadId(run.rootCode, EXPORT) }
}

export function applyDataModel(
  query: ManagedQuery,
  { dataModel: model }: Pick<DestinationSettings, 'dataModel'>,
): ManagedQuery {
  if (!model) return query
  const missingField = Object.keys(model.fields).find((name) => !query.fields.some((field) => field.name === name))
  if (missingField !== undefined) {
    throw new RunFault('configuration', `What is read has no column "${missingField}".`, {
      advice: 'Change the data model of the block, or what it reads.',
    })
  }
  const mappedColumns = Object.entries(model.fields).map(([name, type]) => {
    const target = model.column_mapping[name] ?? name
    return { field: { name: target, type, isNullable: true }, select: `m.${quoteName(name)} as ${quoteName(target)}` }
  })
  return {
    fields: mappedColumns.map(({ field }) => field),
    select: `select ${mappedColumns.map(({ select }) => select).join(', ')} from (${query.select}) as m`,
  }
}

/** No further attempt will follow. A worker that only lost its lease must not touch its successor's load. */
function isLastAttempt({ signal, run, block }: DestinationWork, fault: RunFault): boolean {
  if (signal.aborted) return signal.reason instanceof RunStopped && signal.reason.reason === 'cancelled'
  return fault.kind === 'configuration' || run.attempt >= block.settings.attempts
}

/** Cleans up at the destination; after a cancellation with a new connection. */
async function abandonLoad(
  work: DestinationWork,
  code: string,
  { connection, writer, fields }: DestinationWrite,
): Promise<void> {
  try {
    const isCancelled = work.signal.aborted
    const usableConnection = isCancelled ? await connect(work, code, AbortSignal.timeout(ABANDON_MS)) : connection
    await (isCancelled ? await openWriter(work, usableConnection, fields ?? []) : writer)?.abandon()
    work.log('INFO', `${connection.name} was left as it was.`)
  } catch {
    work.log('WARNING', `${connection.name} could not be told that nothing more will come.`)
  }
}
