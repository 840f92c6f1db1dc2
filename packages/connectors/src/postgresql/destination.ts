import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Batch } from '@trellis/connector-kit/batch'
import type { Destination, WriteRequest, Writer } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { encodeCopy, readBatchRows } from '@trellis/connector-kit/copy-text'
import { from as copyFrom } from 'pg-copy-streams'
import { quoteName } from '../shared/postgres/column-kinds.ts'
import { type Link, openLink } from '../shared/postgres/link.ts'
import { toStatementError } from '../shared/postgres/problems.ts'
import { assertUpsertKey, readTableTarget, buildTableTargetForma } from '../shared/table-target.ts'
import { finishLoad } from './finish-load.ts'
import { type Load, findTarget, createStage, toTableName } from './load.ts'
import { countReceipts, dropReceipts, findFinished, createReceipts, writeReceipt } from './receipts.ts'
import { getAddress } from './setup.ts'

export const destination: Destination = {
  queryFormas: [buildTableTargetForma('postgresql', { schemaLabel: 'Schema' })],
  strategies: ['Append', 'Replace', 'Upsert'],
  open: async (context, request) => {
    assertUpsertKey(request)
    const link = await openLink(context, getAddress(context), { name: 'trellis writer' })
    try {
      return await openWriter({ context, link }, request)
    } catch (error) {
      await link.close()
      throw error
    }
  },
}

async function openWriter(
  { context, link }: { context: ConnectorContext; link: Link },
  request: WriteRequest,
): Promise<Writer> {
  const target = readTableTarget(request.query)
  await link.query(`create schema if not exists ${quoteName(target.schema)}`).catch(async (error: unknown) => {
    // `if not exists` still requires CREATE on the database, which a login with its own schema lacks.
    const [there] = await link.query('select 1 from pg_namespace where nspname = $1', [target.schema])
    if (!there) throw error
  })
  await createReceipts(link, target)
  const load: Load = { ...request, target, existing: await findTarget(link, target) }
  const finished = await findFinished(link, load)
  if (finished === undefined) await createStage(link, load)
  const { batches } = await countReceipts(link, load)
  let next = batches + 1
  return {
    committedBatches: batches,
    write: async (batch) => {
      context.signal.throwIfAborted()
      await link.query('begin')
      try {
        const rows = await copyIn(link, load, batch)
        await writeReceipt(link, load, { batch: next, rows })
        await link.query('commit')
      } catch (error) {
        await link.query('rollback').catch(() => undefined)
        throw error
      }
      next += 1
    },
    finish: async () => {
      const rows = finished ?? (await finishLoad(link, load))
      await link.close()
      return { rows }
    },
    abandon: async () => {
      try {
        if (finished !== undefined) return
        await link.query('begin')
        await link.query(`drop table if exists ${toTableName(load, 'stage')}`)
        await dropReceipts(link, load)
        await link.query('commit')
      } finally {
        await link.close()
      }
    },
  }
}

async function copyIn(link: Link, load: Load, batch: Batch): Promise<number> {
  const bytes = batch.kind === 'copy' ? batch.bytes : encodeCopy(readBatchRows(batch, load.fields))
  const columns = load.fields.map(({ name }) => quoteName(name)).join(', ')
  const stream = copyFrom(`copy ${toTableName(load, 'stage')} (${columns}) from stdin`)
  try {
    link.client.query(stream)
    await pipeline(Readable.from([bytes], { objectMode: true }), stream)
  } catch (error) {
    throw toStatementError(error)
  }
  return stream.rowCount
}
