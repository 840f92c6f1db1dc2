import type { CopyBatch, Field } from '@trellis/connector-kit/batch'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { toStagingTableName, qualifyPlatformTable } from '@trellis/loads/own-tables'
import { claimUnlessFinished, finishWriter } from '@trellis/loads/writers'
import type { Session } from '@trellis/workspace-db/session'
import { toLoadId, toWriterName } from '../loads/load-id.ts'
import type { RunWork } from '../../runner/run-work.ts'
import { type ManagedQuery, copyQuery } from './managed-query.ts'

export const EXPORT = 'export'
const ROW_NUMBER = 'trellis_row'
/** Changing it would shift the batches of loads in progress. */
const ROWS_PER_BATCH = 10_000

/** A table of the rows to send, kept until all have arrived: batches already sent must not differ between attempts. */
export interface ExportSnapshot {
  readonly loadId: string
  readonly fields: readonly Field[]
  readonly rows: number
  readonly isNew: boolean
  batches(skippedBatches: number): AsyncGenerator<CopyBatch>
  settle(): Promise<void>
}

interface SnapshotQuery {
  readonly work: RunWork
  readonly session: Session
  readonly query: ManagedQuery
}

export async function takeSnapshot({ work, session, query }: SnapshotQuery): Promise<ExportSnapshot | undefined> {
  const writer = toWriterName(work, EXPORT)
  const loadId = toLoadId(work.run.rootCode, EXPORT)
  const claim = { writer, epoch: work.run.epoch, loadId }
  const table = qualifyPlatformTable(toStagingTableName(loadId))
  await session.query({ text: 'begin' })
  const state = await claimUnlessFinished(session, claim)
  if (!state) {
    await session.query({ text: 'rollback' })
    return undefined
  }
  const isSameLoad = state.loadId === loadId
  if (state.loadId && !isSameLoad)
    await session.query({ text: `drop table if exists ${qualifyPlatformTable(toStagingTableName(state.loadId))}` })
  const isNew = !(isSameLoad && (await tableExists(session, table)))
  if (isNew) await createSnapshotTable(session, table, query)
  await finishWriter(session, { ...claim, isDone: false })
  await session.query({ text: 'commit' })
  const { rows: counted } = await session.query({ text: `select pg_catalog.count(*) from ${table}` })
  const rows = Number(counted[0]?.[0] ?? 0)
  return {
    loadId,
    fields: query.fields,
    rows,
    isNew,
    async *batches(skippedBatches) {
      const columns = query.fields.map(({ name }) => quoteName(name)).join(', ')
      for (let firstRow = skippedBatches * ROWS_PER_BATCH; firstRow < rows; firstRow += ROWS_PER_BATCH) {
        work.signal.throwIfAborted()
        const range = `${ROW_NUMBER} > ${firstRow} and ${ROW_NUMBER} <= ${firstRow + ROWS_PER_BATCH}`
        yield await joinParts(
          copyQuery(session, `select ${columns} from ${table} where ${range} order by ${ROW_NUMBER}`),
        )
      }
    },
    async settle() {
      await session.query({ text: 'begin' })
      await claimUnlessFinished(session, claim)
      await finishWriter(session, { ...claim, isDone: true })
      await session.query({ text: `drop table ${table}` })
      await session.query({ text: 'commit' })
    },
  }
}

async function tableExists(session: Session, table: string): Promise<boolean> {
  const { rows } = await session.query({ text: 'select pg_catalog.to_regclass($1)', values: [table] })
  return Boolean(rows[0]?.[0])
}

async function createSnapshotTable(session: Session, table: string, { select, fields }: ManagedQuery): Promise<void> {
  const columns = fields.map(({ name }) => `s.${quoteName(name)}`).join(', ')
  await session.query({
    text: `create table ${table} as select pg_catalog.row_number() over () as ${ROW_NUMBER}, ${columns} from (${select}) as s`,
  })
  await session.query({ text: `alter table ${table} add primary key (${ROW_NUMBER})` })
}

async function joinParts(parts: AsyncGenerator<CopyBatch>): Promise<CopyBatch> {
  const allParts: CopyBatch[] = []
  for await (const part of parts) allParts.push(part)
  const bytes = Buffer.concat(allParts.map((part) => part.bytes))
  return { kind: 'copy', bytes, rowCount: allParts.reduce((sum, part) => sum + part.rowCount, 0) }
}
