import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseLink } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import pg from 'pg'
import { type CopyPiece, copyOut } from './copy-out.ts'
import { assertPostgres } from '../other-protocol.ts'
import { toConnectionError, toStatementError } from './problems.ts'
import { type Meter, createMeter, destroyOnError } from '../hostile-server.ts'
import type { PostgresAddress } from './address.ts'
import { startTls } from './tls.ts'

export type TextRow = readonly (string | null)[]

export interface Link {
  query(text: string, values?: readonly unknown[]): Promise<readonly TextRow[]>
  describe(text: string): Promise<readonly { name: string; typeId: number }[]>
  copyOut(text: string): AsyncGenerator<CopyPiece, number, undefined>
  readonly client: pg.Client
  close(): Promise<void>
}

/** Application name that tells read-only sessions from those that may write. */
export const READER_NAME = 'trellis reader'
const EXPLORER_NAME = 'trellis explorer'
const REPLICATION_NAME = 'trellis replication'

/** Fixes the output format, whatever the server's or login's settings. */
const SETTINGS = `
  select set_config('DateStyle', 'ISO, YMD', false), set_config('IntervalStyle', 'iso_8601', false),
    set_config('TimeZone', 'UTC', false), set_config('bytea_output', 'hex', false),
    set_config('extra_float_digits', '1', false), set_config('lock_timeout', '60s', false),
    set_config('statement_timeout', '0', false), set_config('idle_in_transaction_session_timeout', '0', false)
  union all
  select set_config(name, '5s', false), '', '', '', '', '', '', '' from pg_settings
  where name = 'client_connection_check_interval' and setting = '0'`

const CONNECT_MS = 20_000
const asText = { getTypeParser: () => (value: string) => value } as never

export async function openLink(
  context: ConnectorContext,
  address: PostgresAddress,
  { name = READER_NAME }: { name?: string } = {},
): Promise<Link> {
  const { signal } = context
  signal.throwIfAborted()
  const meter = createMeter()
  const client = await connect(context, address, { name, meter }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw toConnectionError(error, address)
  })
  const abort = () => void cancel(context, client, address)
  signal.addEventListener('abort', abort, { once: true })
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    meter.restart()
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      throw toStatementError(error)
    }
  }
  return {
    client,
    query: (text, values = []) =>
      guarded(async () => {
        const asked = { text, values: [...values], rowMode: 'array', types: asText, queryMode: 'extended' }
        return (await (client.query(asked as never) as unknown as Promise<{ rows: TextRow[] }>)).rows
      }),
    describe: (text) =>
      guarded(async () => {
        const asked = client.query({ text, queryMode: 'extended' } as never) as unknown as Promise<pg.QueryResult>
        const { fields } = await asked
        return fields.map(({ name: column, dataTypeID }) => ({ name: column, typeId: dataTypeID }))
      }),
    async *copyOut(text) {
      signal.throwIfAborted()
      try {
        return yield* copyOut(client, text)
      } catch (error) {
        signal.throwIfAborted()
        throw toStatementError(error)
      }
    },
    async close() {
      signal.removeEventListener('abort', abort)
      await leave(client)
    },
  }
}

export interface ReplicationLink {
  readonly client: pg.Client
  close(): Promise<void>
}

export async function openReplicationLink(
  context: ConnectorContext,
  address: PostgresAddress,
): Promise<ReplicationLink> {
  const { signal } = context
  signal.throwIfAborted()
  const meter = createMeter()
  const client = await connect(context, address, { name: REPLICATION_NAME, meter, isReplication: true }).catch(
    (error: unknown) => {
      signal.throwIfAborted()
      throw toConnectionError(error, address)
    },
  )
  // A change stream is endless; its memory is bounded by the reader.
  meter.pause()
  const abort = () => void cancel(context, client, address)
  signal.addEventListener('abort', abort, { once: true })
  return {
    client,
    async close() {
      signal.removeEventListener('abort', abort)
      await leave(client)
    },
  }
}

export async function openDatabase(
  context: ConnectorContext,
  address: PostgresAddress,
): Promise<Omit<DatabaseLink, 'allowsWriting'>> {
  const { signal } = context
  const meter = createMeter()
  const client = await connect(context, address, { name: EXPLORER_NAME, meter }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw toConnectionError(error, address)
  })
  const cancelOnServer = () => sendCancelRequest(context, client, address)
  const abort = () => void cancel(context, client, address)
  signal.addEventListener('abort', abort, { once: true })
  meter.pause()
  return {
    client,
    async run(text) {
      meter.restart()
      await client.query(text)
      meter.pause()
    },
    copyOut: (text, options) => copyOut(client, text, options),
    cancel: cancelOnServer,
    async close() {
      signal.removeEventListener('abort', abort)
      await leave(client)
    },
  }
}

const leave = async (client: pg.Client) =>
  await Promise.race([client.end().catch(() => undefined), sleep(2000, undefined, { ref: false })])

async function connect(
  context: ConnectorContext,
  address: PostgresAddress,
  { name, meter, isReplication = false }: { name: string; meter: Meter; isReplication?: boolean },
): Promise<pg.Client> {
  const { host, port, database, user, password, tls, certificate, identity } = address
  const plain = await context.connect({ host, port })
  const stop = () => plain.destroy()
  context.signal.addEventListener('abort', stop, { once: true })
  try {
    const stream = tls === 'disable' ? plain : await startTls(plain, { mode: tls, host, certificate, identity })
    const client = new pg.Client({
      host,
      port,
      database,
      user,
      password,
      application_name: name,
      connectionTimeoutMillis: CONNECT_MS,
      stream: () => asConnecting(stream) as never,
      ...(isReplication && { replication: 'database' }),
    } as pg.ClientConfig)
    // Without a listener the error event would crash the process; the current statement fails anyway.
    client.on('error', () => undefined)
    const connecting = client.connect()
    guardDriver(stream, meter)
    await connecting
    await client.query(SETTINGS)
    return client
  } catch (error) {
    plain.destroy()
    throw error
  } finally {
    context.signal.removeEventListener('abort', stop)
  }
}

function guardDriver(stream: Duplex, meter: Meter): void {
  const [driver] = stream.listeners('data') as ((bytes: Buffer) => void)[]
  if (!driver) throw new Error('The driver does not listen to its connection.')
  stream.off('data', driver)
  let isFirst = true
  const take = (chunk: Buffer) => {
    if (isFirst) assertPostgres(chunk)
    isFirst = false
    meter.count(chunk)
    driver(chunk)
  }
  stream.on('data', destroyOnError(stream, take))
}

/** The driver expects to connect by itself, but the socket is already connected. */
function asConnecting(stream: Duplex): Duplex {
  return Object.assign(stream, {
    connect() {
      process.nextTick(() => stream.emit('connect'))
      return stream
    },
    setNoDelay: () => stream,
    setKeepAlive: () => stream,
    ref: () => stream,
    unref: () => stream,
  })
}

/** Closing the connection does not stop a statement on the server. */
async function cancel(context: ConnectorContext, client: pg.Client, address: PostgresAddress): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
  stream.destroy()
  await sendCancelRequest(context, client, address)
}

async function sendCancelRequest(
  context: ConnectorContext,
  client: pg.Client,
  address: PostgresAddress,
): Promise<void> {
  const { processID, secretKey } = client as unknown as { processID: number | null; secretKey: number | null }
  if (processID === null || secretKey === null) return
  try {
    const { host, port } = address
    const socket = await context.connect({ host, port, signal: AbortSignal.timeout(CONNECT_MS) })
    const message = Buffer.alloc(16)
    for (const [at, part] of [16, 80_877_102, processID, secretKey].entries()) message.writeInt32BE(part, at * 4)
    socket.on('error', () => undefined)
    const isTold = new Promise((resolve) => socket.once('close', resolve))
    socket.end(message).resume()
    // Until the server closes this connection, the cancel could still hit the next statement.
    await isTold
  } catch {
    // Best effort: the server notices the lost connection later.
  }
}
