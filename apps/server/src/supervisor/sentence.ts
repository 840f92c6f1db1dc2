import { isStartProblem } from '@trellis/embedded/postgres/start-problem'
import { type Config, ConfigProblem } from '../platform/config.ts'
import { findAbsence } from '../platform/start-checks/wait-for-database.ts'

export function findSentence(error: unknown, config?: Pick<Config, 'host' | 'port' | 'home'>): string | undefined {
  if (!(error instanceof Error)) return undefined
  return findOwnSentence(error, config) ?? findSentence(error.cause, config)
}

function findOwnSentence(error: Error, config?: Pick<Config, 'host' | 'port' | 'home'>): string | undefined {
  if (isStartProblem(error) || error instanceof ConfigProblem) return error.message
  const { code, syscall } = error as NodeJS.ErrnoException
  if (config && (syscall === 'listen' || ('hostname' in error && error.hostname === config.host))) {
    return findListenSentence(code, config)
  }
  if (code === 'ENOSPC' || code === '53100') return 'The disk of the database is full. Free some space and start again.'
  const absence = findAbsence(error)
  if (absence) return `The database cannot be reached: ${absence}. Check TRELLIS_DATABASE_URL.`
  if (code === '28P01' || code === '28000')
    return 'The database refused the sign-in. Check the user and password in TRELLIS_DATABASE_URL.'
  if (code === '3D000') return 'The database named in TRELLIS_DATABASE_URL does not exist. Create it, then start again.'
  return undefined
}

function findListenSentence(
  code: string | undefined,
  { host, port }: Pick<Config, 'host' | 'port'>,
): string | undefined {
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Set TRELLIS_PORT to another one or stop the other program.`
  if (code === 'EACCES') return `Port ${port} needs more rights than this user has. Set TRELLIS_PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine. Set TRELLIS_HOST to one that is.`
  return undefined
}
