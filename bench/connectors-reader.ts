import { countRows } from '@trellis/connector-kit/batch'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { createConnection } from 'mysql2'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { mysql } from '../packages/connectors/src/mysql/connector.ts'
import { postgresql } from '../packages/connectors/src/postgresql/connector.ts'
import { plainConnect } from '../packages/connectors/src/shared/testing/plain-connect.ts'
import type { ReadInput, ReadTold } from './connectors.ts'

const SCHEMAS = { postgresql: 'public', mysql: 'shop' }

async function readByConnector({ platform, values }: ReadInput): Promise<number> {
  const connector = platform === 'postgresql' ? postgresql : mysql
  const query = { query: { kind: 'table', table: { schema: SCHEMAS[platform], table: 'big' } } }
  const reading = await connector.source?.read(createTestContext({ values, connect: plainConnect }), { query })
  let rows = 0
  for await (const batch of reading?.batches ?? []) rows += countRows(batch)
  return rows
}

async function readBare({ platform, values }: ReadInput): Promise<number> {
  const { tls: _, ...connection } = values['connection'] as { tls: string; host: string; port: number }
  return platform === 'postgresql' ? await copyBare(connection) : await streamBare(connection)
}

async function copyBare(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection)
  await client.connect()
  const stream = client.query(copyTo('copy big to stdout'))
  for await (const _chunk of stream);
  await client.end()
  return stream.rowCount
}

async function streamBare(connection: object): Promise<number> {
  const client = createConnection(connection)
  let rows = 0
  for await (const _row of client.query('select * from big').stream()) rows += 1
  client.end()
  return rows
}

/** The first round includes loading and warm-up. */
async function measure(readInput: ReadInput): Promise<ReadTold> {
  let seconds = Infinity
  let rows = 0
  for (let round = 0; round < readInput.rounds; round += 1) {
    const started = performance.now()
    rows = readInput.way === 'bare' ? await readBare(readInput) : await readByConnector(readInput)
    seconds = Math.min(seconds, (performance.now() - started) / 1000)
  }
  return { seconds, rows, mb: process.resourceUsage().maxRSS / 1024 }
}

process.once('message', (readInput: ReadInput) => {
  void measure(readInput).then((told) => process.send?.(told, () => process.exit(0)))
})
