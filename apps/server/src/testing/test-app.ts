import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import type { Connector } from '@trellis/connector-kit/connector'
import { buildApp } from '../http/app.ts'
import { allRoutes } from '../modules/all-routes.ts'
import { type Config, readConfig } from '../platform/config.ts'
import type { SystemCtx } from '../platform/ctx.ts'
import { openCatalogue } from '../platform/connectors/catalogue.ts'
import { type Logger, createLogger } from '../platform/logger.ts'
import type { ObjectStore } from '../platform/object-store/object-store.ts'
import { openPorts } from '../platform/open-ports.ts'
import type { SafeHttp } from '../platform/safe-http/safe-http.ts'
import { runWorker } from '../worker.ts'
import { type TestClient, createClient } from './test-client.ts'

export interface TestApp {
  url: string
  config: Config
  database: TestDatabase
  ctx: SystemCtx
  clock: { now(): Date; move(ms: number): void }
  client(): TestClient
  beforeClose(work: () => Promise<void>): void
  close(): Promise<void>
}

/** The whole server on a new database over HTTP; `hasWorker` adds jobs, SMTP and mailbox. */
export async function startTestApp(
  options: {
    settings?: Record<string, string>
    hasWorker?: boolean
    connectors?: readonly Connector[]
    log?: Logger
    http?: SafeHttp
    objects?: ObjectStore
    stillHereMs?: number
  } = {},
): Promise<TestApp> {
  const database = await createTestDatabase()
  const home = await mkdtemp(join(tmpdir(), 'trellis-test-'))
  const config = readConfig({
    TRELLIS_HOME: home,
    TRELLIS_DATABASE_URL: database.url,
    TRELLIS_CLUSTER_URL: database.adminUrl,
    TRELLIS_LOG_LEVEL: 'silent',
    ...options.settings,
  })
  const openedPorts = openPorts(config)
  const { connectors = [], http = openedPorts.http, objects = openedPorts.objects } = options
  const ports = {
    ...openedPorts,
    http,
    objects,
    platforms: openCatalogue([...openedPorts.platforms.connectors, ...connectors]),
  }
  const log = options.log ?? createLogger({ level: config.logLevel, role: 'test' })
  let ahead = 0
  const clock = { now: () => new Date(Date.now() + ahead), move: (ms: number) => void (ahead += ms) }
  const app = await buildApp({
    routes: allRoutes,
    control: database,
    ports,
    clock,
    log,
    stillHereMs: options.stillHereMs,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const worker = options.hasWorker ? await runWorker(config) : undefined
  const closing: (() => Promise<void>)[] = []
  return {
    url,
    config,
    database,
    clock,
    ctx: { db: database.db, clock, log, ports, requestId: 'test' },
    client: () => createClient(url),
    beforeClose: (work) => void closing.push(work),
    close: async () => {
      await Promise.all(closing.map((work) => work()))
      await app.close()
      await worker?.stop()
      await ports.cluster.close()
      await database.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
