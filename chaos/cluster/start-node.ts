import type { ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner } from '@trellis/embedded/postgres/process-owner'
import { sendSignal, waitForEnd } from '@trellis/embedded/postgres/process-table'
import { listServerProcesses } from '@trellis/embedded/postgres/server-processes'
import { withClient } from '@trellis/control-db/connect'
import { fillIn } from './deploy-files.ts'
import { startProgram, stopProgram } from './start-program.ts'

export interface ClusterNode {
  readonly name: string
  readonly host: string
  readonly postgresPort: number
  readonly patroniPort: number
  start(): void
  /** As in a power cut. */
  kill(): Promise<void>
  killPostgres(): void
  /** SIGSTOP; returns a function that resumes. */
  freeze(): () => void
  isPrimary(): Promise<boolean>
  stop(): Promise<void>
}

export interface NodeOptions {
  readonly name: string
  readonly folder: string
  readonly program: string
  readonly owner: Owner | undefined
  readonly values: Readonly<Record<string, string | number>> & {
    readonly POSTGRES_PORT: number
    readonly PATRONI_PORT: number
    readonly SUPERUSER_PASSWORD: string
  }
}

const HOST = '127.0.0.1'
const CHECK_TIMEOUT_MS = 1000

export function createNode({ name, folder, program, owner, values }: NodeOptions): ClusterNode {
  const dataDir = join(folder, 'data')
  mkdirSync(folder)
  chmodSync(folder, 0o700)
  const settings = join(folder, 'patroni.yml')
  const own = { NODE_NAME: name, NODE_HOST: HOST, DATA_DIR: dataDir, PGPASS_FILE: join(folder, 'pgpass') }
  writeFileSync(settings, fillIn('patroni.yml', { ...values, ...own }), { mode: 0o600 })
  if (owner) for (const path of [folder, settings]) chownSync(path, owner.uid, owner.gid)
  const url = `postgres://postgres:${values.SUPERUSER_PASSWORD}@${HOST}:${values.POSTGRES_PORT}/postgres`
  let patroni: ChildProcess | undefined
  const findServer = () => {
    const pid = readPid(join(dataDir, 'postmaster.pid'))
    return pid === undefined ? [] : [pid, ...listServerProcesses(pid)]
  }
  const killPostgres = () => {
    for (const pid of findServer()) sendSignal(pid, 'SIGKILL')
  }
  return {
    name,
    host: HOST,
    postgresPort: values.POSTGRES_PORT,
    patroniPort: values.PATRONI_PORT,
    start() {
      patroni = startProgram({ name: 'patroni', file: program, args: [settings], folder, owner })
    },
    async kill() {
      const server = findServer()
      patroni?.kill('SIGKILL')
      for (const pid of server) sendSignal(pid, 'SIGKILL')
      for (const pid of server) await waitForEnd(pid, 10_000)
    },
    killPostgres,
    freeze() {
      const pids = [...(patroni?.pid === undefined ? [] : [patroni.pid]), ...findServer()]
      for (const pid of pids) sendSignal(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids) sendSignal(pid, 'SIGCONT')
      }
    },
    isPrimary: async () => {
      const config = {
        connectionString: url,
        connectionTimeoutMillis: CHECK_TIMEOUT_MS,
        query_timeout: CHECK_TIMEOUT_MS,
      }
      try {
        const { rows } = await withClient(config, (client) =>
          client.query<{ primary: boolean }>('select not pg_is_in_recovery() as primary'),
        )
        return rows[0]?.primary === true
      } catch {
        return false
      }
    },
    async stop() {
      if (patroni) await stopProgram(patroni, 'SIGKILL')
      killPostgres()
    },
  }
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    return pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}
