import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin']

export interface MariadbPrograms {
  readonly server: string
  readonly install: string
}

/** A MariaDB to test with: the one named in TRELLIS_MARIADBD or the system's. */
export function findMariadb(): MariadbPrograms | undefined {
  const given = process.env['TRELLIS_MARIADBD']
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...FOLDERS]
  const find = (names: string[], where: string[]) =>
    names.flatMap((name) => where.map((folder) => join(folder, name))).find(canRun)
  const server = given ? (canRun(given) ? given : undefined) : find(['mariadbd'], folders)
  const install = server && find(['mariadb-install-db', 'mysql_install_db'], [dirname(server), ...folders])
  return server && install ? { server, install } : undefined
}

/** Debian's package, when root may install it; otherwise nothing happens. Its server is not started. */
export function installMariadb(): void {
  if (process.getuid?.() !== 0 || !canRun('/usr/bin/apt-get')) return
  process.stdout.write('Installing MariaDB with apt-get…\n')
  const apt = (...args: string[]) =>
    spawnSync('/usr/bin/apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  if (!apt('install', '-y', '--no-install-recommends', 'mariadb-server')) {
    apt('update')
    apt('install', '-y', '--no-install-recommends', 'mariadb-server')
  }
}

export const mariadbAdvice =
  'No MariaDB was found, so its connector is not tested. Install it (Debian: "sudo apt-get install mariadb-server"), or set TRELLIS_MARIADBD to its path.'

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
