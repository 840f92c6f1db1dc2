import { ConnectorError } from '@trellis/connector-kit/connector-error'
import { listErrorCodes } from '@trellis/connector-kit/error-codes'
import { toHostError } from '../host-problem.ts'
import { OtherProtocolError } from '../other-protocol.ts'
import type { PostgresAddress } from './address.ts'

type ServerAddress = Pick<PostgresAddress, 'host' | 'port' | 'database' | 'user'>

export function toConnectionError(error: unknown, address: ServerAddress): unknown {
  const other = error instanceof ConnectorError ? error.cause : error
  if (other instanceof OtherProtocolError) {
    return new ConnectorError(
      'configuration',
      `${address.host} answers on port ${address.port} as ${other.message}, not as PostgreSQL.`,
      { field: 'connection.port', advice: 'Enter the port PostgreSQL listens on, usually 5432.', cause: error },
    )
  }
  if (error instanceof ConnectorError) return error
  const { code, message } = error as { code?: string; message?: string }
  const toProblem = (text: string, field: string, advice: string) =>
    new ConnectorError('configuration', text, { field: `connection.${field}`, advice, cause: error })
  switch (code) {
    case '28P01':
      return toProblem(
        `The password for the user ${address.user} is wrong, or there is no such user.`,
        'password',
        'Enter the password again and check the user name.',
      )
    case '28000':
      return connectionRefusedError(address, { message: message ?? '', cause: error })
    case '3D000':
      return toProblem(
        `There is no database called ${address.database} on ${address.host}.`,
        'database',
        'Check the name; capital letters matter.',
      )
    case '42501':
      return toProblem(
        `The user ${address.user} has no right to connect to the database ${address.database}.`,
        'user',
        `Have it granted: GRANT CONNECT ON DATABASE ${quoteIdentifier(address.database)} TO ${quoteIdentifier(address.user)};`,
      )
    case '53300':
    case '53400':
      return new ConnectorError('transient', 'The server has no connections left for now.', { cause: error })
    case '57P03':
      return new ConnectorError('transient', 'The server is starting or stopping.', { cause: error })
    default:
      return toHostError(error, { ...address, what: 'PostgreSQL' }) ?? toConnectorError(error)
  }
}

function connectionRefusedError(
  address: ServerAddress,
  { message, cause }: { message: string; cause: unknown },
): ConnectorError {
  if (/no encryption|SSL off/i.test(message)) {
    return new ConnectorError('configuration', 'The server takes encrypted connections only.', {
      field: 'connection.tls',
      advice: 'Choose “Encrypted”.',
      cause,
    })
  }
  const isUser = /role .* (does not exist|is not permitted)/i.test(message)
  return new ConnectorError(
    'configuration',
    isUser
      ? `The user ${address.user} does not exist or is not permitted to log in.`
      : `The server does not let the user ${address.user} into the database ${address.database} from here.`,
    {
      field: 'connection.user',
      advice: isUser
        ? 'Check the user name, or have the user permitted to log in.'
        : 'Have this machine, the user and the database added to pg_hba.conf of the server.',
      cause,
    },
  )
}

const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** SQLSTATE classes: caused by the user's settings, or transient. */
const OWN_CLASSES = /^(0A|21|22|25006|2202|23|26|34|3F|42|2BP01)/
const RETRYABLE_CODES = /^(08|40|53|57P0[1-3]|55006|55P03|58)/

/** Server messages contain names and syntax only, so they may be shown. */
export function toStatementError(error: unknown): unknown {
  if (error instanceof ConnectorError) return error
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (code === '42501') {
    return new ConnectorError('configuration', `The user has no right to do this: ${message}.`, {
      advice: 'Have the right granted at the database; the documentation of the platform says which.',
      cause: error,
    })
  }
  if (code === '57014') {
    return new ConnectorError('configuration', 'The statement took longer than its time limit.', {
      advice: 'Ask for less, add an index, or raise the time limit.',
      cause: error,
    })
  }
  if (RETRYABLE_CODES.test(code) || listErrorCodes(error).some((errorCode) => LOST.has(errorCode))) {
    return new ConnectorError('transient', 'The connection to the database was lost or could not go on.', {
      cause: error,
    })
  }
  if (OWN_CLASSES.test(code)) {
    return new ConnectorError('configuration', `The database says: ${message}.`, { cause: error })
  }
  return toConnectorError(error)
}

const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH', 'ERR_STREAM_DESTROYED'])

function toConnectorError(error: unknown): unknown {
  const { message = '' } = error as { message?: string }
  if (/Connection terminated|not queryable|closed the connection/i.test(message)) {
    return new ConnectorError('transient', 'The connection to the database was lost.', { cause: error })
  }
  return error
}
