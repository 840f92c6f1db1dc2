import { mkdtemp, chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openControlDb } from '@trellis/control-db/database'
import { prepareControlDb } from '@trellis/control-db/prepare'
import { type Postgres, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import pg from 'pg'
import { openDatabaseOf } from '../apps/server/src/modules/explorer/database.service.ts'
import { handleProvision } from '../apps/server/src/modules/workspaces/provision.handler.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { readConfig } from '../apps/server/src/platform/config.ts'
import { createLogger } from '../apps/server/src/platform/logger.ts'
import { openPorts } from '../apps/server/src/platform/open-ports.ts'
import { type Proxy, startProxy } from './proxy.ts'

export const WORKSPACE = 'chaos-w'
export const OWN_DATABASE = `${WORKSPACE}-db`

/** A Trellis with one workspace on a Postgres of its own, which may be killed. */
export interface World {
  readonly accountId: number
  readonly workspaceId: number
  /** For the workers, through the proxy. */
  readonly env: Record<string, string>
  readonly proxy: Proxy
  /** Straight to the databases, again and again until Postgres answers. */
  control<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  data<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** Kills the server with all its processes and starts it again. Gives the milliseconds until it answers. */
  crash(): Promise<number>
  close(): Promise<void>
}

export async function makeWorld(): Promise<World> {
  const home = await mkdtemp(join(tmpdir(), 'trellis-chaos-'))
  await chmod(home, 0o711)
  const dataDir = join(home, 'postgres')
  let postgres: Postgres = await startPostgres({ dataDir, settings: { max_connections: 200 } })
  const { port } = postgres
  const proxy = await startProxy(() => port)
  const { appUrl } = await prepareControlDb({ adminUrl: postgres.url })
  const through = (url: string) => Object.assign(new URL(url), { port: String(proxy.port) }).href
  const settings = { TRELLIS_HOME: home, TRELLIS_LOG_LEVEL: 'silent', NODE_ENV: 'production' }
  const made = await makeWorkspace({ ...settings, TRELLIS_DATABASE_URL: appUrl, TRELLIS_CLUSTER_URL: postgres.url })
  const ask = patient(() => ({ connectionString: postgres.url }))
  const controlName = new URL(appUrl).pathname.slice(1)
  return {
    ...made,
    proxy,
    env: { ...settings, TRELLIS_DATABASE_URL: through(appUrl), TRELLIS_CLUSTER_URL: through(postgres.url) },
    control: (text, values) => ask(controlName, text, values),
    data: (text, values) => ask(made.database, text, values),
    async crash() {
      const began = performance.now()
      const pids = await ask<{ pid: number }>('postgres', 'select pid from pg_stat_activity', [])
      for (const pid of [postgres.pid, ...pids.map((one) => one.pid)]) kill(pid)
      postgres = await startPostgres({ dataDir, port, settings: { max_connections: 200 } })
      return performance.now() - began
    },
    close: async () => {
      await ask.close()
      await proxy.close()
      await postgres.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself in the meantime.
  }
}

async function makeWorkspace(env: Record<string, string>) {
  const config = readConfig(env)
  const control = openControlDb({ url: config.databaseUrl as string, max: 2 })
  const ports = openPorts(config)
  const log = createLogger({ level: 'silent', role: 'chaos' })
  const ctx = { db: control.db, clock: systemClock, log, ports, requestId: 'chaos' }
  const account = await control.db
    .insertInto('accounts')
    .values({ trellis_code: 'chaos', name: 'Chaos', account_type: 'team' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const workspace = await control.db
    .insertInto('workspaces')
    .values({
      account_id: account.id,
      trellis_code: WORKSPACE,
      name: 'Chaos',
      workspace_address: 'chaos',
      state: 'provisioning',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const signal = new AbortController().signal
  await handleProvision(
    ctx,
    { workspace_id: workspace.id },
    { id: '', job: '', attempt: 1, isLastAttempt: true, signal },
  )
  const { database } = await openDatabaseOf(ctx, { workspaceId: workspace.id, integrationCode: OWN_DATABASE })
  await ports.cluster.close()
  await ports.payments.close()
  await control.close()
  return { accountId: account.id, workspaceId: workspace.id, database }
}

const TRIES = 600

/** One connection for each database, opened anew whenever it was lost. Statements may be sent twice: they must bear it. */
function patient(configOf: () => pg.ClientConfig) {
  const clients = new Map<string, Promise<pg.Client>>()
  const open = async (database: string) => {
    const client = new pg.Client({
      connectionString: Object.assign(new URL(configOf().connectionString ?? ''), { pathname: `/${database}` }).href,
    })
    client.on('error', () => clients.delete(database))
    await client.connect()
    // Tables of the workspace belong to its owner, whoever makes them.
    if (/^w_[0-9a-f]{16}$/.test(database)) await client.query(`set role ${database}_own`)
    return client
  }
  const ask = async <R extends pg.QueryResultRow>(database: string, text: string, values: unknown[] = []) => {
    for (let tries = 1; ; tries += 1) {
      try {
        const known = clients.get(database) ?? open(database)
        clients.set(database, known)
        return (await (await known).query<R>(text, values)).rows
      } catch (error) {
        const { code = '' } = error as { code?: string }
        const isLost = !/^[0-9A-Z]{5}$/.test(code) || /^(57P|08|53)/.test(code)
        if (!isLost || tries === TRIES) throw error
        clients.delete(database)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }
  const close = async () => {
    for (const client of clients.values()) await client.then((one) => one.end()).catch(() => undefined)
  }
  return Object.assign(ask, { close })
}
