import { listErrorCodes } from '@trellis/connector-kit/error-codes'
import { ConnectorError } from '@trellis/connector-kit/connector-error'

interface Target {
  readonly host: string
  readonly port: number
  readonly what: string
}

export function toHostError(error: unknown, { host, port, what }: Target): ConnectorError | undefined {
  const codes = listErrorCodes(error)
  const has = (...wanted: string[]) => codes.some((code) => wanted.includes(code))
  const toProblem = (message: string, field: string, advice: string) =>
    new ConnectorError('configuration', message, { field: `connection.${field}`, advice, cause: error })
  if (has('address_refused')) return toProblem((error as Error).message, 'host', 'Use a host on the public internet.')
  if (has('ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'url_invalid') || isUnknownName(error)) {
    return toProblem(`There is no host called ${host}.`, 'host', 'Check the host name for a typing mistake.')
  }
  if (has('ECONNREFUSED')) {
    return toProblem(
      `${host} refuses connections on port ${port}.`,
      'port',
      `Check the port and that ${what} is running and listens to other machines.`,
    )
  }
  if (has('ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'timed_out', 'unreachable')) {
    return toProblem(
      `${host} does not answer on port ${port}.`,
      'host',
      'Check the host and the port, and whether a firewall lets this Trellis in.',
    )
  }
  if (has('ECONNRESET', 'EPIPE') || /terminated|timeout expired/i.test((error as Error).message)) {
    return new ConnectorError('transient', `${host} closed the connection.`, {
      advice: `Check that ${what} is what listens on port ${port}.`,
      cause: error,
    })
  }
  return undefined
}

const isUnknownName = (error: unknown) => /could not be found/.test((error as { message?: string }).message ?? '')
