import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const PIECE = 20_000

interface BareApply {
  readonly source: pg.ClientConfig
  readonly workspace: pg.Client
  readonly slot: string
  readonly publication: string
  readonly to: string
  readonly columns: readonly string[]
}

const special = /[\t\n\r\\]/g
const escape = (text: string) =>
  text.replaceAll(special, (sign) => ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' })[sign] ?? '\\\\')

/** Hand-written: pgoutput, last change per key, COPY into a temporary table, MERGE. No fence, receipt or cursor. */
export async function applyBare({ source, workspace, slot, publication, to, columns }: BareApply): Promise<void> {
  const client = new pg.Client({ ...source, replication: 'database' } as pg.ClientConfig)
  await client.connect()
  const plain = new pg.Client(source)
  await plain.connect()
  const { rows } = await plain.query<{ lsn: string }>('select pg_current_wal_flush_lsn() - $1::pg_lsn as lsn', ['0/0'])
  await plain.end()
  const end = BigInt(rows[0]?.lsn ?? 0)
  const list = columns.join(', ')
  await workspace.query(
    `create temp table if not exists bare_stage as select ${list}, ''::text as op from ${to} limit 0`,
  )
  let changes = new Map<string, string>()
  const stand = { reached: 0n }
  let isOver = false
  let wake = () => {}
  const connection = (client as unknown as { connection: Connection }).connection
  const read = (message: Buffer, from: number): string[] => {
    const values: string[] = []
    let at = from + 2
    for (let column = message.readUInt16BE(from); column > 0; column -= 1) {
      const kind = message[at]
      at += 1
      if (kind !== 0x74) {
        values.push(String.raw`\N`)
        continue
      }
      const length = message.readUInt32BE(at)
      values.push(escape(message.toString('utf8', at + 4, at + 4 + length)))
      at += 4 + length
    }
    return values
  }
  const take = (message: Buffer) => {
    const kind = message[0]
    if (kind === 0x43) stand.reached = message.readBigUInt64BE(10)
    if (kind !== 0x49 && kind !== 0x55 && kind !== 0x44) return
    const values = read(message, 6)
    changes.set(values[0] ?? '', `${values.join('\t')}\t${kind === 0x44 ? 'd' : 'w'}\n`)
    if (changes.size < PIECE) return
    connection.stream.pause()
    wake()
  }
  client.query({
    submit: (wire: Connection) => {
      wire.query(`START_REPLICATION SLOT ${slot} LOGICAL 0/0 (proto_version '1', publication_names '${publication}')`)
    },
    handleCopyData: ({ chunk }: { chunk: Buffer }) => {
      if (chunk[0] === 0x77) take(chunk.subarray(25))
      else {
        stand.reached = chunk.readBigUInt64BE(1)
        wake()
      }
    },
    handleError: (error: Error) => {
      if (!isOver) throw error
    },
    handleReadyForQuery: () => undefined,
    handleCommandComplete: () => undefined,
  } as never)
  const sets = columns.slice(1).map((name) => `${name} = s.${name}`)
  while (stand.reached < end || changes.size > 0) {
    if (changes.size < PIECE && stand.reached < end) {
      const timer = setInterval(() => connection.sendCopyFromChunk(status(stand.reached)), 100)
      await new Promise<void>((resolve) => (wake = resolve))
      clearInterval(timer)
      if (changes.size < PIECE && stand.reached < end) continue
    }
    const lines = [...changes.values()]
    changes = new Map()
    connection.stream.resume()
    await workspace.query('begin')
    await pipeline(Readable.from([lines.join('')]), workspace.query(copyFrom(`copy bare_stage from stdin`)))
    await workspace.query(`merge into ${to} t using bare_stage s on t.id = s.id when matched and s.op = 'd' then delete
      when matched then update set ${sets.join(', ')} when not matched and s.op = 'w' then insert (${list}) values (${columns.map((name) => `s.${name}`).join(', ')})`)
    await workspace.query('truncate bare_stage')
    await workspace.query('commit')
    connection.sendCopyFromChunk(status(stand.reached))
  }
  isOver = true
  connection.endCopyFrom()
  await client.end()
}

interface Connection {
  readonly stream: { pause(): void; resume(): void }
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

function status(lsn: bigint): Buffer {
  const message = Buffer.alloc(34)
  message[0] = 0x72
  for (const at of [1, 9, 17]) message.writeBigUInt64BE(lsn, at)
  message[33] = 1
  return message
}
