import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type TestContext,
  type TestContextOptions,
  createTestContext,
} from '@trellis/connector-kit/testing/test-context'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { createConnection } from 'mysql2/promise'
import { findFreePort } from '../../../../embedded/src/postgres/free-port.ts'
import { findMariadb, mariadbAdvice } from '../../../../../tools/test/mariadb.ts'
import { plainConnect } from './plain-connect.ts'

const USER = 'trellis'
const PASSWORD = 'a long password'
const DATABASE = 'shop'

export interface MariadbServer {
  readonly port: number
  readonly address: { host: string; port: number; database: string; user: string; password: string }
  run(...statements: string[]): Promise<Record<string, unknown>[]>
  session(): ReturnType<typeof createConnection>
  values(changes?: Record<string, unknown>): FormaValues
  context(options?: TestContextOptions): TestContext
  stop(): Promise<void>
}

export function hasMariadb(): boolean {
  const isThere = findMariadb() !== undefined
  if (!isThere) process.stderr.write(`SKIPPED: ${mariadbAdvice}\n`)
  return isThere
}

export async function startMariadb(settings: readonly string[] = []): Promise<MariadbServer> {
  const programs = findMariadb()
  if (!programs) throw new Error(mariadbAdvice)
  const folder = mkdtempSync(join(tmpdir(), 'trellis-mariadb-'))
  const data = join(folder, 'data')
  // MySQL servers that share a folder for sockets delete each other's.
  const passing = join(folder, 'passing')
  mkdirSync(passing)
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []
  const made = spawnSync(
    programs.install,
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      `--tmpdir=${passing}`,
      '--skip-test-db',
      ...asRoot,
    ],
    { encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`MariaDB could not be set up: ${made.stderr}${made.stdout}`)
  const port = await findFreePort()
  const log = join(folder, 'log')
  const child = spawn(
    programs.server,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--tmpdir=${passing}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--log-error=${log}`,
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=64M',
      '--skip-name-resolve',
      ...asRoot,
      ...settings,
    ],
    { stdio: 'ignore' },
  )
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const sessions: Awaited<ReturnType<typeof createConnection>>[] = []
  const session = async () => {
    const connection = await createConnection({
      socketPath: join(folder, 'socket'),
      user: 'root',
      multipleStatements: true,
    })
    sessions.push(connection)
    return connection
  }
  const root = await untilReady(session, () => readFileSync(log, 'utf8'))
  const run = async (...statements: string[]) => {
    let rows: unknown
    for (const statement of statements) [rows] = await root.query(statement)
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
  }
  await run(
    `create database ${DATABASE}`,
    `create user '${USER}'@'%' identified by '${PASSWORD}'`,
    `grant all on *.* to '${USER}'@'%'`,
    `use ${DATABASE}`,
  )
  const address = { host: '127.0.0.1', port, database: DATABASE, user: USER, password: PASSWORD }
  const values = (changes = {}): FormaValues => ({ connection: { ...address, tls: 'disable', ...changes } })
  return {
    port,
    address,
    run,
    session: async () => {
      const connection = await session()
      await connection.query(`use ${DATABASE}`)
      return connection
    },
    values,
    context: (options = {}) => createTestContext({ values: values(), connect: plainConnect, ...options }),
    async stop() {
      for (const item of sessions) item.destroy()
      process.off('exit', kill)
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady<T>(open: () => Promise<T>, log: () => string): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await open()
    } catch (error) {
      if (attempt >= 300) throw new Error(`MariaDB did not start: ${log().slice(-2000)}`, { cause: error })
      await sleep(100)
    }
  }
}
