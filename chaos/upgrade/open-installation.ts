import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withClient } from '@trellis/control-db/connect'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import type { Installation } from '../cluster/open-installation.ts'
import { openPatientPools } from '../patient-pools.ts'
import { BUCKET, startBucket } from '../start-bucket.ts'
import { type PreviousProcess, type PreviousVersion, startPrevious } from './previous-version.ts'

interface Upgraded extends Installation {
  readonly previous: PreviousProcess
  readonly previousUrl: string
}

const PREPARE = join(import.meta.dirname, 'prepare-previous.ts')

/** A Postgres and a bucket of their own, and the previous version on them with a workspace. */
export async function openPreviousInstallation(
  version: PreviousVersion,
  { home, undo }: { home: string; undo: (() => Promise<unknown>)[] },
): Promise<Upgraded> {
  const postgres = await startPostgres({ dataDir: join(home, 'postgres'), settings: { max_connections: 200 } })
  undo.push(() => postgres.stop())
  const password = randomBytes(18).toString('hex')
  await withClient({ connectionString: postgres.url }, async (client) => {
    // Of releases before TRELLIS_DATABASE_OWNER_URL the application's login owns the tables.
    await client.query(`create role trellis_app login password '${password}'`)
    await client.query('create database trellis owner trellis_app')
  })
  const port = await findFreePort()
  const directUrl = `postgres://trellis_app:${password}@127.0.0.1:${postgres.port}/trellis`
  const env = {
    NODE_ENV: 'production',
    TRELLIS_HOME: join(home, 'new'),
    TRELLIS_PUBLIC_URL: 'http://localhost:4600',
    TRELLIS_LOG_LEVEL: 'warn',
    TRELLIS_ALLOW_PRIVATE_HOSTS: 'on',
    TRELLIS_DEMO: 'off',
    TRELLIS_RATE_LIMITS: 'off',
    TRELLIS_DATABASE_URL: directUrl,
    TRELLIS_CLUSTER_URL: postgres.url,
    TRELLIS_ROOT_KEY: randomBytes(32).toString('base64'),
    TRELLIS_S3_BUCKET: BUCKET,
    TRELLIS_S3_ENDPOINT: `http://127.0.0.1:${await startBucket(home, undo)}`,
    TRELLIS_S3_ACCESS_KEY_ID: 'S3RVER',
    TRELLIS_S3_SECRET_ACCESS_KEY: 'S3RVER',
    TRELLIS_RUNS_PER_WORKSPACE: '20',
    TRELLIS_RUNS_PER_CONNECTION: '20',
    TRELLIS_LOAD_ROWS: '300',
  }
  const previousUrl = `http://127.0.0.1:${port}`
  const own = { ...env, TRELLIS_HOME: join(home, 'old'), TRELLIS_ROLE: 'all', TRELLIS_PORT: String(port) }
  const previous = await startPrevious(version, { env: own, url: previousUrl, log: join(home, 'previous.log') })
  undo.push(() => previous.stop())
  const { stdout } = await promisify(execFile)(process.execPath, [PREPARE, version.folder, previousUrl], {
    env: { ...process.env, ...own },
  })
  const made = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    accountId: number
    workspaceId: number
    database: string
  }
  const ask = openPatientPools(postgres.url, 4)
  undo.push(() => ask.close())
  return {
    accountId: made.accountId,
    workspaceId: made.workspaceId,
    control: (text, values) => ask('trellis', text, values),
    data: (text, values) => ask(made.database, text, values),
    env,
    directUrl,
    proxies: [],
    previous,
    previousUrl,
  }
}
