import type { Duplex } from 'node:stream'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { OtherProtocolError, assertMysql } from '../shared/other-protocol.ts'

/** A MySQL server speaks first; one that stays silent may speak another protocol. */
const GREETING_TIMEOUT_MS = 3000
const PROBE_TIMEOUT_MS = 3000
/** PostgreSQL answers with one letter; HTTP, Redis and TLS servers with an error that identifies them. */
const POSTGRES_SSL_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

export interface Greeting {
  readonly other: OtherProtocolError | undefined
  stop(): void
}

interface Target {
  readonly host: string
  readonly port: number
}

/** Must listen before the driver, whose own error for an unreadable greeting says little. */
export function watchGreeting(stream: Duplex, context: ConnectorContext, { host, port }: Target): Greeting {
  let other: OtherProtocolError | undefined
  const end = (error: OtherProtocolError) => {
    other = error
    stream.destroy(error)
  }
  const timer = setTimeout(() => {
    void identify(context, { host, port }).then((otherProtocolError) => otherProtocolError && end(otherProtocolError))
  }, GREETING_TIMEOUT_MS)
  const judge = (bytes: Buffer) => {
    clearTimeout(timer)
    try {
      assertMysql(bytes)
    } catch (error) {
      end(error as OtherProtocolError)
    }
  }
  stream.once('data', judge)
  return {
    get other() {
      return other
    },
    stop() {
      clearTimeout(timer)
      stream.off('data', judge)
    },
  }
}

async function identify(context: ConnectorContext, target: Target): Promise<OtherProtocolError | undefined> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)])
  try {
    const stream = await context.connect({ ...target, signal })
    signal.addEventListener('abort', () => stream.destroy(), { once: true })
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      stream
        .once('data', resolve)
        .once('error', reject)
        .once('close', () => resolve(Buffer.alloc(0)))
      stream.write(POSTGRES_SSL_REQUEST)
    }).finally(() => stream.destroy())
    if (/^[SN]$/.test(bytes.toString('latin1'))) return new OtherProtocolError('a PostgreSQL server')
    assertMysql(bytes)
    return undefined
  } catch (error) {
    return error instanceof OtherProtocolError ? error : undefined
  }
}
