import { delimiter, dirname, join } from 'node:path'
import { canRun, installPackage } from './apt.ts'

const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin']

export interface MariadbPrograms {
  readonly server: string
  readonly install: string
}

export function findMariadb(): MariadbPrograms | undefined {
  const given = process.env['TRELLIS_MARIADBD']
  const folders = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...FOLDERS]
  const find = (names: string[], where: string[]) =>
    names.flatMap((name) => where.map((folder) => join(folder, name))).find(canRun)
  const server = given ? (canRun(given) ? given : undefined) : find(['mariadbd'], folders)
  const install = server && find(['mariadb-install-db', 'mysql_install_db'], [dirname(server), ...folders])
  return server && install ? { server, install } : undefined
}

export const installMariadb = (): void => installPackage('mariadb-server', { called: 'MariaDB', isNeeded: true })

export const mariadbAdvice =
  'No MariaDB was found, so its connector is not tested. Install it (Debian: "sudo apt-get install mariadb-server"), or set TRELLIS_MARIADBD to its path.'
