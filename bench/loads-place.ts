import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { prepareControlDb } from '@trellis/control-db/prepare'
import pg from 'pg'
import { MEMORY_FLAGS } from '../apps/server/src/supervisor/roles.ts'
import type { LoadInput, LoadTold } from './loads-worker.ts'
import { makeWorkspace } from './workspace.ts'

export const COLUMNS = 'id bigint, customer text, amount numeric, ordered_at timestamptz, is_paid boolean, note text'
export const makeRows = (rows: number, from = 1) =>
  `select i as id, 'customer ' || i % 5000 as customer, i * 1.25 as amount, timestamptz '2026-01-01' + i * interval '1 second' as ordered_at,
     i % 3 = 0 as is_paid, md5(i::text) as note from generate_series(${from}::bigint, ${from + rows - 1}) i`

/** A workspace, a worker that loads into it, and an administrator doing the same by hand. */
export async function openBench(home: string, adminUrl: string) {
  const { appUrl } = await prepareControlDb({ adminUrl })
  const env = {
    TRELLIS_HOME: home,
    TRELLIS_DATABASE_URL: appUrl,
    TRELLIS_CLUSTER_URL: adminUrl,
    TRELLIS_LOG_LEVEL: 'warn',
    TRELLIS_ALLOW_PRIVATE_HOSTS: 'on',
    NODE_ENV: 'production',
  }
  const made = await makeWorkspace(env, 'bench')
  const { database } = made.database
  const url = Object.assign(new URL(adminUrl), { pathname: `/${database}` }).href
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const child: ChildProcess = fork(join(import.meta.dirname, 'loads-worker.ts'), {
    env: { ...process.env, ...env },
    execArgv: [...MEMORY_FLAGS.worker],
  })
  await new Promise((resolve) => child.once('message', resolve))
  let memory = 0
  let runs = 0
  return {
    admin,
    async make(table: string, select: string, hasKey = true): Promise<void> {
      await admin.query(`drop table if exists ${table}`)
      await admin.query(`create table ${table} as ${select}`)
      if (hasKey) await admin.query(`alter table ${table} add primary key (id)`)
      await admin.query(`alter table ${table} owner to ${database}_own`)
      await admin.query(`grant select on ${table} to ${database}_read`)
      await admin.query(`vacuum analyze ${table}`)
    },
    url,
    made,
    memory: () => memory,
    async load(
      settings: object,
      expected: number | null,
      more: Pick<LoadInput, 'block' | 'stopAfterMs'> = {},
    ): Promise<number> {
      await admin.query('checkpoint')
      const loadInput: LoadInput = {
        ...more,
        code: `run${(runs += 1)}`,
        accountId: made.accountId,
        workspace: made.workspace,
        settings,
      }
      const told = await new Promise<LoadTold>((resolve) => {
        child.once('message', (message) => resolve(message as LoadTold))
        child.send(loadInput)
      })
      if (told.error !== undefined && more.stopAfterMs === undefined) throw new Error(told.error)
      if (expected !== null && told.rows !== expected)
        throw new Error(`${told.rows} rows were written, not ${expected}.`)
      memory = Math.max(memory, told.mb)
      return told.seconds
    },
    close: async () => {
      child.disconnect()
      await admin.end()
      await made.close()
    },
  }
}
export type Bench = Awaited<ReturnType<typeof openBench>>
