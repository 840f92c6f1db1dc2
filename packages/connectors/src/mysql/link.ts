import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import type { Connection, FieldPacket, SslOptions } from 'mysql2'
import type { Connection as Address } from '../shared/connection-forma.ts'
import { type Meter, createMeter, destroyOnError } from '../shared/hostile-server.ts'
import { watchGreeting } from './greeting.ts'
import { toConnectionError, toStatementError } from './problems.ts'

export type Cell = string | number | Buffer | null
export type Row = Cell[]

export interface Link {
  query(sql: string): Promise<{ rows: readonly Row[]; fields: readonly FieldPacket[]; affectedRows: number }>
  describe(sql: string): Promise<readonly FieldPacket[]>
  /** Streams rows in batches. Leaving early makes the connection unusable. */
  stream(sql: string, most: { rows: number; characters: number }): AsyncGenerator<Row[]>
  close(): Promise<void>
}

const CONNECT_MS = 20_000

/** Timeouts for slow readers, and backslash escapes so that quoting is unambiguous. */
const SETTINGS = [
  `set session sql_mode = replace(@@sql_mode, 'NO_BACKSLASH_ESCAPES', '')`,
  `set session time_zone = '+00:00', net_write_timeout = 86400, net_read_timeout = 3600, wait_timeout = 86400`,
  'set session transaction isolation level repeatable read',
]

export async function openLink(context: ConnectorContext, address: Address): Promise<Link> {
  const { signal } = context
  signal.throwIfAborted()
  const meter = createMeter()
  const connection = await connect(context, address, meter).catch((error: unknown) => {
    signal.throwIfAborted()
    throw toConnectionError(error, address)
  })
  const abort = () => {
    connection.destroy()
    void killStatement(context, connection.threadId, address)
  }
  signal.addEventListener('abort', abort, { once: true })
  const toQueryOptions = (sql: string) => ({ sql, rowsAsArray: true })
  const query: Link['query'] = async (sql) => {
    signal.throwIfAborted()
    meter.restart()
    return await new Promise((resolve, reject) => {
      const lost = () => reject(signal.aborted ? (signal.reason as Error) : toStatementError(LOST))
      connection.stream.once('close', lost)
      connection.query(
        toQueryOptions(sql),
        (error: Error | null, result: unknown, fields: FieldPacket[] | undefined) => {
          connection.stream.off('close', lost)
          if (error) return reject(signal.aborted ? (signal.reason as Error) : toStatementError(error))
          const rows = Array.isArray(result) ? (result as Row[]) : []
          const affectedRows = (result as { affectedRows?: number }).affectedRows ?? 0
          resolve({ rows, fields: fields ?? [], affectedRows })
        },
      )
    })
  }
  const describe: Link['describe'] = async (sql) => {
    signal.throwIfAborted()
    meter.restart()
    return await new Promise((resolve, reject) => {
      connection.prepare(sql, (error, statement) => {
        if (error) return reject(signal.aborted ? (signal.reason as Error) : toStatementError(error))
        const { columns } = statement as unknown as { columns: FieldPacket[] }
        statement.close()
        resolve(columns)
      })
    })
  }
  return {
    query,
    describe,
    async *stream(sql, most) {
      signal.throwIfAborted()
      try {
        yield* streamRows(connection, toQueryOptions(sql), { ...most, meter })
      } catch (error) {
        signal.throwIfAborted()
        throw toStatementError(error)
      }
    },
    async close() {
      signal.removeEventListener('abort', abort)
      const ended = new Promise<void>((resolve) => connection.end(() => resolve()))
      await Promise.race([ended, sleep(2000, undefined, { ref: false })])
      destroyConnection(connection)
    },
  }
}

type WithStream = Connection & { stream: Duplex }
const LOST = Object.assign(new Error('The connection was closed.'), { code: 'PROTOCOL_CONNECTION_LOST' })

async function connect(context: ConnectorContext, address: Address, meter: Meter): Promise<WithStream> {
  const { host, port, database, user, password } = address
  const { createConnection } = await import('mysql2')
  const ssl = toSslOptions(address)
  const stream = await context.connect({ host, port, signal: context.signal })
  const stop = () => stream.destroy()
  context.signal.addEventListener('abort', stop, { once: true })
  const greeting = watchGreeting(stream, context, { host, port })
  try {
    const connection = createConnection({
      host,
      port,
      database,
      user,
      password,
      stream: () => stream,
      connectTimeout: CONNECT_MS,
      charset: 'utf8mb4',
      dateStrings: true,
      jsonStrings: true,
      supportBigNumbers: true,
      ...(ssl && { ssl }),
    }) as WithStream
    stream.on('data', destroyOnError(stream, meter.count))
    await new Promise<void>((resolve, reject) => {
      connection.on('error', reject)
      connection.connect((error) => (error ? reject(error) : resolve()))
    })
    // TLS replaced the stream.
    const now = connection.stream
    if (now !== stream) now.on('data', destroyOnError(now, meter.count))
    for (const sql of SETTINGS) {
      await new Promise<void>((resolve, reject) => {
        connection.query(sql, (error) => (error ? reject(error) : resolve()))
      })
    }
    return connection
  } catch (error) {
    stream.destroy()
    throw greeting.other ?? error
  } finally {
    greeting.stop()
    context.signal.removeEventListener('abort', stop)
  }
}

function toSslOptions({ tls, host, certificate }: Address): SslOptions | undefined {
  if (tls === 'disable') return undefined
  if (tls === 'require') return { rejectUnauthorized: false }
  if (isIP(host) === 0)
    return { rejectUnauthorized: true, verifyIdentity: true, ...(certificate && { ca: certificate }) }
  throw new ConnectorError('configuration', 'The host name can only be checked when one is entered, not an address.', {
    field: 'connection.host',
    advice: 'Use the host name of the certificate.',
  })
}

async function* streamRows(
  connection: WithStream,
  asked: { sql: string; rowsAsArray: boolean },
  { meter, ...most }: { rows: number; characters: number; meter: Meter },
): AsyncGenerator<Row[]> {
  meter.restart()
  let rows: Row[] = []
  let characters = 0
  let isDone = false
  let failure: Error | undefined
  let wake: (() => void) | undefined
  const resumeReader = () => {
    wake?.()
    wake = undefined
  }
  const onClose = () => {
    failure ??= LOST
    resumeReader()
  }
  connection.stream.once('close', onClose)
  const query = connection.query(asked as never)
  query.on('error', (error) => {
    failure ??= error
    resumeReader()
  })
  query.on('end', () => {
    isDone = true
    resumeReader()
  })
  query.on('result', (result) => {
    const row = result as unknown as Row
    rows.push(row)
    for (const cell of row) if (typeof cell === 'object' || typeof cell === 'string') characters += cell?.length ?? 0
    if (rows.length < most.rows && characters < most.characters) return
    connection.pause()
    resumeReader()
  })
  try {
    for (;;) {
      if (failure) throw failure
      if (isDone || rows.length >= most.rows || characters >= most.characters) {
        const full = rows
        rows = []
        characters = 0
        meter.restart()
        const isLast = isDone
        if (!isLast) connection.resume()
        if (full.length > 0) yield full
        if (isLast) return
        continue
      }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  } finally {
    connection.stream.off('close', onClose)
    if (!isDone) destroyConnection(connection)
  }
}

/** mysql2 only ends its side: the server would go on sending, with the table locked against ALTER, until its timeout. */
function destroyConnection(connection: WithStream): void {
  connection.destroy()
  connection.stream.destroy()
}

/** Closing the connection does not stop a statement on the server. */
async function killStatement(context: ConnectorContext, thread: number | null, address: Address): Promise<void> {
  if (thread === null) return
  const unbound = { ...context, signal: AbortSignal.timeout(CONNECT_MS) }
  try {
    const other = await connect(unbound, address, createMeter())
    other.query(`kill ${thread}`, () => other.destroy())
  } catch {
    // Best effort: the server notices the lost connection later.
  }
}
