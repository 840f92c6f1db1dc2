import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Connection as Address } from '../shared/connection-forma.ts'
import { listErrorCodes } from '@trellis/connector-kit/error-codes'
import { toHostError } from '../shared/host-problem.ts'
import { OtherProtocolError } from '../shared/other-protocol.ts'

export function toConnectionError(error: unknown, address: Address): unknown {
  if (error instanceof OtherProtocolError) {
    return new ConnectorError(
      'configuration',
      `${address.host} answers on port ${address.port} as ${error.message}, not as MySQL or MariaDB.`,
      { field: 'connection.port', advice: 'Enter the port MySQL listens on, usually 3306.', cause: error },
    )
  }
  if (error instanceof ConnectorError) return error
  const { code } = error as { code?: string }
  const toProblem = (text: string, field: string, advice: string) =>
    new ConnectorError('configuration', text, { field: `connection.${field}`, advice, cause: error })
  switch (code) {
    case 'ER_ACCESS_DENIED_ERROR':
    case 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR':
      return toProblem(
        `The password for the user ${address.user} is wrong, or the user may not log in from this machine.`,
        'password',
        'Enter the password again, and check user name and host in mysql.user.',
      )
    case 'ER_DBACCESS_DENIED_ERROR':
      return toProblem(
        `The user ${address.user} has no right to use the database ${address.database}.`,
        'user',
        `Have it granted: GRANT SELECT ON \`${address.database}\`.* TO '${address.user}'@'%';`,
      )
    case 'ER_BAD_DB_ERROR':
      return toProblem(
        `There is no database called ${address.database} on ${address.host}.`,
        'database',
        'Check the name; capital letters matter.',
      )
    case 'ER_HOST_NOT_PRIVILEGED':
    case 'ER_HOST_IS_BLOCKED':
      return toProblem(
        'The server lets nobody in from this machine.',
        'user',
        'Have this machine allowed at the server.',
      )
    case 'ER_SECURE_TRANSPORT_REQUIRED':
      return toProblem('The server takes encrypted connections only.', 'tls', 'Choose “Encrypted”.')
    case 'HANDSHAKE_NO_SSL_SUPPORT':
      return toProblem(
        'The server does not offer encrypted connections.',
        'tls',
        'Have TLS turned on at the server, or choose “Not encrypted” if the way to it is safe.',
      )
    case 'ER_CON_COUNT_ERROR':
    case 'ER_TOO_MANY_USER_CONNECTIONS':
      return new ConnectorError('transient', 'The server has no connections left for now.', { cause: error })
    default:
      return findCertificateError(error) ?? toHostError(error, { ...address, what: 'MySQL' }) ?? toStatementError(error)
  }
}

function findCertificateError(error: unknown): ConnectorError | undefined {
  const codes = listErrorCodes(error).join(' ')
  if (!/CERT|SELF_SIGNED|ISSUER|ALTNAME|LEAF/.test(codes)) return undefined
  const isOtherName = codes.includes('ALTNAME')
  return new ConnectorError(
    'configuration',
    isOtherName
      ? 'The certificate of the server was made for another host name.'
      : 'The certificate of the server is not signed by anyone trusted here.',
    {
      field: isOtherName ? 'connection.host' : 'connection.certificate',
      advice: isOtherName
        ? 'Use the host name of the certificate.'
        : 'Enter the certificate of the authority that signed it, or choose “Encrypted”.',
      cause: error,
    },
  )
}

const RETRYABLE_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_SERVER_SHUTDOWN',
  'ER_QUERY_INTERRUPTED',
  'ER_CONNECTION_KILLED',
  'ER_NEW_ABORTING_CONNECTION',
])
const TIMEOUTS = [1969, 3024]
interface ServerError {
  code?: string
  errno?: number
  message?: string
  sqlMessage?: string
}
const RIGHTS = /ACCESS_DENIED|TABLEACCESS|COLUMNACCESS/

/** Server messages contain names and syntax only, so they may be shown. */
export function toStatementError(error: unknown): unknown {
  if (error instanceof ConnectorError) return error
  const { code = '', message = '', sqlMessage, errno } = error as ServerError
  if (RETRYABLE_CODES.has(code) || /closed state|Connection lost/i.test(message)) {
    return new ConnectorError('transient', 'The connection to the database was lost or could not go on.', {
      cause: error,
    })
  }
  if (errno !== undefined && TIMEOUTS.includes(errno)) {
    return new ConnectorError('configuration', 'The statement took longer than its time limit.', {
      advice: 'Ask for less, add an index, or raise the time limit.',
      cause: error,
    })
  }
  if (RIGHTS.test(code)) {
    return new ConnectorError('configuration', `The user has no right to do this: ${sqlMessage ?? message}.`, {
      advice: 'Have the right granted at the database; the documentation of the platform says which.',
      cause: error,
    })
  }
  if (code.startsWith('ER_') || sqlMessage !== undefined) {
    return new ConnectorError('configuration', `The database says: ${sqlMessage ?? message}.`, { cause: error })
  }
  return error
}
