import { statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { writeOwnFile } from './own-file.ts'
import { FIREWALL_FILE } from './server-access.ts'
import type { ServerFolder } from './server-folder.ts'
import { toStartProblem } from './start-problem.ts'

export type Settings = Record<string, string | number>

const gigabyte = 1024 ** 3

const EXTERNAL_CONNECTIONS = 300

function getDefaultSettings(root: string): Settings {
  const walMegabytes = computeWalMegabytes(root)
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 500,
    // A connection counts before it has authenticated.
    authentication_timeout: '10s',
    // The lock table is shared by all databases.
    max_locks_per_transaction: 256,
    shared_buffers: totalmem() < 2 * gigabyte ? '96MB' : '256MB',
    shared_preload_libraries: 'pg_stat_statements',
    max_wal_size: `${walMegabytes}MB`,
    min_wal_size: `${Math.min(80, walMegabytes / 2)}MB`,
    max_slot_wal_keep_size: `${walMegabytes}MB`,
    wal_keep_size: 0,
    max_parallel_workers: availableParallelism(),
    random_page_cost: 1.1,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // Users' statements and values must not appear in the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
}

/** 5 % of the disk, at most 4 GB: the WAL must not fill a small disk. */
function computeWalMegabytes(root: string): number {
  const { blocks, bsize } = statfsSync(root)
  return Math.floor(Math.min(4096, Math.max(64, (blocks * bsize) / 20 / 1024 ** 2)))
}

const escapeSetting = (text: string) => text.replaceAll('\\', '\\\\').replaceAll("'", "''")

export function writeSettings(folder: ServerFolder, settings: Settings): void {
  const all: Settings = {
    ...getDefaultSettings(folder.root),
    hba_file: folder.accessFile,
    'trellis.firewall': FIREWALL_FILE,
    ...settings,
  }
  // Reserved for the platform, so that external clients can only crowd out each other.
  const connections = Number(all['max_connections'])
  all['reserved_connections'] ??= Math.max(Math.floor(connections / 2), connections - EXTERNAL_CONNECTIONS)
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${escapeSetting(String(value))}'`)
  const text = `# Written by Trellis at every start.\n${lines.join('\n')}\n`
  try {
    // Readable but not writable by the database user.
    writeOwnFile(folder.settingsFile, text, folder.owner ? { mode: 0o640, gid: folder.owner.gid } : { mode: 0o600 })
  } catch (error) {
    throw toStartProblem(error, folder.settingsFile)
  }
}
