import type { Duplex } from 'node:stream'
import { ConnectorError } from '@trellis/connector-kit/connector-error'

/** Memory limit for a response, or for one row of a streamed one. */
export const MAX_RESPONSE_BYTES = 128 * 1024 * 1024

export const createTooLargeError = () =>
  new ConnectorError('configuration', 'The database answered with more than can be taken at once.', {
    advice: 'Read fewer or smaller columns, and check that the address is that of a database of yours.',
  })

const toProtocolError = (cause: unknown) =>
  new ConnectorError('configuration', 'What answers at this address does not speak as a database server does.', {
    field: 'connection.host',
    advice: 'Check host and port.',
    cause,
  })

/** An exception in a data handler would crash the process; this closes the connection instead. */
export const destroyOnError = (stream: Duplex, take: (chunk: Buffer) => void) => (chunk: Buffer) => {
  try {
    take(chunk)
  } catch (error) {
    stream.destroy(error instanceof ConnectorError ? error : toProtocolError(error))
  }
}

export interface Meter {
  count(chunk: Buffer): void
  restart(): void
  pause(): void
}

/** An endless response would fill the memory of all tenants. */
export function createMeter(most = MAX_RESPONSE_BYTES): Meter {
  let bytes = 0
  return {
    count(chunk) {
      bytes += chunk.length
      if (bytes > most) throw createTooLargeError()
    },
    restart: () => void (bytes = 0),
    pause: () => void (bytes = -Infinity),
  }
}
