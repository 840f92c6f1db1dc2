import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import type { UploadFile, UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import type pg from 'pg'
import { expect, vi } from 'vitest'
import { type OpenDatabase, openWorkspaceDatabase } from '../platform/workspace-database/open-database.ts'
import { handleClearUploads } from '../modules/uploads/clear-uploads.handler.ts'
import { type TestAccount, makeAccount } from './accounts.ts'
import type { TestApp } from './test-app.ts'
import { type TestUploads, testUploads } from './uploads.ts'

export const ROWS = 10_000
const LONG_MS = 100_000
const LINES = Array.from({ length: ROWS }, (_, at) => `${at + 10},part ${at % 100}`).join('\n')
const WHERE_LOCK = 4711

export interface Goods {
  readonly account: TestAccount
  readonly uploads: TestUploads
  readonly database: OpenDatabase
  reset(): Promise<void>
  send(mode?: 'append' | 'replace'): Promise<UploadFile>
  start(call: typeof calls.deliverData | typeof calls.validateFile, file: UploadFile): Promise<UploadJob>
  cancel(job: UploadJob): Promise<boolean>
  left(): Promise<{ goods: number; receipts: number; own: (string | null)[] }>
  isAt(text: string): Promise<void>
  /** Meanwhile every COPY blocks in the middle of the rows of `send`. */
  whileHeld<T>(work: (holder: pg.Client) => Promise<T>): Promise<T>
}

export const run = (attempt: number, isLastAttempt = false) => ({
  id: 'test',
  job: 'uploads.run',
  attempt,
  isLastAttempt,
  signal: new AbortController().signal,
  beatMs: 10,
})

export const COPYING = `select from pg_stat_activity where datname = $1 and wait_event = 'advisory'`

export async function makeGoods(app: TestApp): Promise<Goods> {
  const account = await makeAccount(app)
  const uploads = await testUploads(app, account, { isInline: true })
  const { workspaceId, code: integrationCode } = uploads
  const database = await openWorkspaceDatabase(app.ctx, { workspaceId, integrationCode })
  await database.cluster.withAdmin(database.database, addHold)
  const count = async (table: string) => Number((await uploads.sql(`select count(*) from ${table}`)).rows[0]?.[0])
  return {
    account,
    uploads,
    database,
    async reset() {
      await app.database.pool.query('delete from upload_files where workspace_id = $1', [workspaceId])
      await uploads.sql('update trellis_loads.receipts set finished_at = $1', ['2020-01-01'])
      await handleClearUploads(app.ctx)
      await uploads.sql('drop table if exists data.goods cascade')
      await uploads.sql('delete from trellis_loads.receipts')
      await uploads.sql('create table data.goods (id int primary key, name text)')
      await uploads.sql(`insert into data.goods values (1, 'nail'), (2, 'screw')`)
    },
    async send(mode = 'append') {
      const file = await uploads.send('goods.csv', `id,name\n${LINES}\n`)
      expect(await uploads.preProcess(file)).toMatchObject({ status: 'completed' })
      expect((await uploads.update(file, { table_name: 'goods', mode })).status).toBe(200)
      return file
    },
    async start(call, { file_id }) {
      const { status, data, text } = await uploads.client.call(call, { params: uploads.params, body: { file_id } })
      expect(status, text).toBe(200)
      return data
    },
    async cancel({ job_id }) {
      return (
        (await uploads.client.call(calls.cancelUploadJob, { params: { ...uploads.params, job_id } })).status === 200
      )
    },
    left: async () => ({
      goods: await count('data.goods'),
      receipts: await count('trellis_loads.receipts'),
      own: (
        await uploads.sql(
          `select relname from pg_class where relnamespace = 'trellis_loads'::regnamespace and relname ~ '^(stage|undo)_' and relkind = 'r'`,
        )
      ).rows.flat(),
    }),
    isAt: (text) =>
      vi.waitFor(
        async () => {
          const { rowCount } = await database.cluster.admin.query(`${text} limit 1`, [database.database])
          expect(rowCount).toBe(1)
        },
        { timeout: LONG_MS, interval: 5 },
      ),
    whileHeld: (work) =>
      database.cluster.withAdmin(database.database, async (holder) => {
        await holder.query(`select pg_advisory_lock(${WHERE_LOCK})`)
        return await work(holder)
      }),
  }
}

/** A trigger on every staging table that waits for an advisory lock at a row in the middle. */
async function addHold(admin: pg.Client): Promise<void> {
  await admin.query(`create schema test_hold`)
  await admin.query(`create function test_hold.wait() returns trigger language plpgsql security definer as $$
    begin perform pg_advisory_xact_lock_shared(${WHERE_LOCK}); return new; end $$`)
  await admin.query(`create function test_hold.on_table() returns event_trigger language plpgsql security definer as $$
    declare made record;
    begin
      for made in select * from pg_event_trigger_ddl_commands() where object_identity like 'trellis\\_loads.stage\\_%' loop
        execute format('create trigger hold before insert on %s for each row when (new.id = ${ROWS / 2}) execute function test_hold.wait()', made.object_identity);
      end loop;
    end $$`)
  await admin.query(`create event trigger test_hold on ddl_command_end when tag in ('CREATE TABLE')
    execute function test_hold.on_table()`)
}
