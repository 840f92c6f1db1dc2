import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { findFreePort, readOrChoosePort } from './free-port.ts'
import { ensureCluster, superuser } from './init-cluster.ts'
import { runServer, type RunningServer } from './run-server.ts'
import { clearOldServer } from './postmaster-pid.ts'
import { openServerFolder } from './server-folder.ts'
import { writeAccess } from './server-access.ts'
import { type ListenOptions, prepareTls } from './server-tls.ts'
import { writeSettings, type Settings } from './server-settings.ts'
import { startError } from './start-problem.ts'

export interface PostgresOptions {
  dataDir: string
  port?: number
  settings?: Settings
  /** An additional address with TLS; loopback only by default. */
  listening?: ListenOptions
  log?: (line: string) => void
  onExit?: (reason: string) => void
}

export interface Postgres {
  url: string
  port: number
  password: string
  pid: number
  /** May differ from `dataDir`, if the database user cannot enter that. */
  folder: string
  stop(): Promise<void>
}

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const log = options.log ?? (() => {})
  const folder = openServerFolder(options.dataDir, log)
  const binaries = findBinaries({ owner: folder.owner, copyDir: folder.programs, log })
  const password = await ensureCluster(folder, binaries)
  await clearOldServer(folder.data, log)
  const tls = prepareTls(folder, options.listening ?? { address: '127.0.0.1' })
  writeAccess(folder, { hasTls: tls['ssl'] === 'on' })
  let port = options.port ?? (await readOrChoosePort(folder.portFile))
  for (let attempt = 1; ; attempt += 1) {
    writeSettings(folder, { ...tls, ...options.settings, port })
    const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`
    const outcome = await runServer({ folder, binaries, url, log, onExit: options.onExit ?? (() => {}) })
    if (outcome.isRunning) return describe(outcome.server, { url, port, password, folder: folder.root })
    if (attempt === 20 || outcome.reason === 'failed') throw startError(outcome.sentence)
    // Backends of a killed server need a moment to release shared memory.
    if (outcome.reason === 'memory_in_use') await sleep(500)
    if (outcome.reason === 'port_taken') {
      if (options.port !== undefined)
        throw startError(`Port ${options.port} is in use, so Postgres cannot start on it.`)
      port = await findFreePort()
    }
  }
}

function describe(server: RunningServer, address: Pick<Postgres, 'url' | 'port' | 'password' | 'folder'>): Postgres {
  return { ...address, pid: server.pid, stop: server.stop }
}
