import type { Batch } from '@trellis/connector-kit/batch'
import type { Destination, WriteRequest, Writer } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { readBatchRows } from '@trellis/connector-kit/copy-text'
import { readConnection } from '../shared/connection-forma.ts'
import { assertUpsertKey, readTableTarget, buildTableTargetForma } from '../shared/table-target.ts'
import { quoteName } from './column-kinds.ts'
import { finishLoad } from './finish-load.ts'
import { type Link, openLink } from './link.ts'
import { type Load, findTarget, createStage, toTableName, createValueWriter } from './load.ts'
import { countReceipts, dropReceipts, findMark, createReceipts, writeReceipt } from './receipts.ts'

/** max_allowed_packet may be as low as 4 MB, so a batch is sent in several statements. */
const STATEMENT_CHARACTERS = 1024 * 1024
/** A value that does not fit is an error instead of being truncated. */
const STRICT = `set session sql_mode = concat(@@sql_mode, ',STRICT_ALL_TABLES')`

export const destination: Destination = {
  queryFormas: [buildTableTargetForma('mysql', { schemaLabel: 'Database' })],
  strategies: ['Append', 'Replace', 'Upsert'],
  open: async (context, request) => {
    assertUpsertKey(request)
    const link = await openLink(context, readConnection(context.values))
    try {
      await link.query(STRICT)
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
  await link.query(`create database if not exists ${quoteName(target.schema)}`).catch(async (error: unknown) => {
    const { rows } = await link.query('show databases')
    if (!rows.some(([name]) => name === target.schema)) throw error
  })
  await createReceipts(link, target)
  const load: Load = { ...request, target, existing: await findTarget(link, target) }
  const finished = await findMark(link, load, 'finished')
  const isSwapping = (await findMark(link, load, 'swapping')) !== undefined
  if (finished === undefined && !isSwapping) await createStage(link, load)
  const { batches } = await countReceipts(link, load)
  let next = batches + 1
  return {
    committedBatches: batches,
    write: async (batch) => {
      context.signal.throwIfAborted()
      await inTransaction(link, async () => {
        const rows = await insert(link, load, batch)
        await writeReceipt(link, load, { batch: next, rows })
      })
      next += 1
    },
    finish: async () => {
      const rows = finished ?? (await finishLoad(link, load))
      await link.close()
      return { rows }
    },
    abandon: async () => {
      try {
        if (finished !== undefined || isSwapping) return
        await link.query(`drop table if exists ${toTableName(load, 'stage')}`)
        await dropReceipts(link, load)
      } finally {
        await link.close()
      }
    },
  }
}

async function inTransaction(link: Link, work: () => Promise<void>): Promise<void> {
  await link.query('start transaction')
  try {
    await work()
    await link.query('commit')
  } catch (error) {
    await link.query('rollback').catch(() => undefined)
    throw error
  }
}

async function insert(link: Link, load: Load, batch: Batch): Promise<number> {
  const rows = readBatchRows(batch, load.fields)
  const columns = load.fields.map(({ name }) => quoteName(name)).join(', ')
  const head = `insert into ${toTableName(load, 'stage')} (${columns}) values `
  const writers = load.fields.map(createValueWriter)
  let statement = ''
  for (const row of rows) {
    const values = writers.map((write, at) => write(row[at] ?? null)).join(',')
    statement += `${statement === '' ? head : ','}(${values})`
    if (statement.length < STATEMENT_CHARACTERS) continue
    await link.query(statement)
    statement = ''
  }
  if (statement !== '') await link.query(statement)
  return rows.length
}
