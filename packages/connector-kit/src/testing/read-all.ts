import type { Field, ReadState, RejectedRecord, Value } from '../batch.ts'
import type { Connector, ReadRequest } from '../connector.ts'
import type { ConnectorContext } from '../context.ts'
import { listRows } from './values.ts'

export interface WholeRead {
  readonly fields: readonly Field[]
  readonly key: readonly string[]
  readonly cursor: string | null
  readonly rows: readonly (readonly Value[])[]
  readonly rejected: readonly RejectedRecord[]
  readonly batches: readonly { rows: readonly (readonly Value[])[]; state: ReadState | undefined; isCopy: boolean }[]
  readonly finalState: ReadState | undefined
}

/** An endless read would hang the test instead of failing it. */
const MAX_BATCHES = 20_000

export async function readAll(
  connector: Connector,
  context: ConnectorContext,
  request: ReadRequest,
): Promise<WholeRead> {
  if (!connector.source) throw new Error(`${connector.code} is no source.`)
  const { fields, key, cursor, batches } = await connector.source.read(context, request)
  const seen: WholeRead['batches'][number][] = []
  const rejected: RejectedRecord[] = []
  for await (const batch of batches) {
    if (seen.length >= MAX_BATCHES) throw new Error(`The read goes on after ${MAX_BATCHES} batches.`)
    rejected.push(...(batch.rejected ?? []))
    seen.push({ rows: listRows(batch), state: roundTripJson(batch.state), isCopy: batch.kind === 'copy' })
  }
  const rows = seen.flatMap((batch) => batch.rows)
  return { fields, key, cursor, batches: seen, rows, rejected, finalState: seen.at(-1)?.state }
}

const roundTripJson = (state: ReadState | undefined) =>
  state === undefined ? undefined : (JSON.parse(JSON.stringify(state)) as ReadState)
