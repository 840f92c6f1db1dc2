import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withClient } from '@trellis/control-db/connect'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { getEnvironment } from './environment.ts'

export interface OutsideDatabase {
  port: string
  database: string
  reader: string
  /** Can log in, but not connect to this database. */
  stranger: string
  password: string
}

export async function makeOutsideDatabase(): Promise<OutsideDatabase> {
  const url = new URL(getEnvironment().databaseUrl)
  const mark = Math.random().toString(36).slice(2, 8)
  const made = {
    port: url.port,
    database: `outside_${mark}`,
    reader: `reader_${mark}`,
    stranger: `stranger_${mark}`,
    password: `hush-${mark}`,
  }
  await run(url, [
    `create database ${made.database}`,
    `revoke connect on database ${made.database} from public`,
    `create role ${made.reader} login password '${made.password}'`,
    `create role ${made.stranger} login password '${made.password}'`,
    `grant connect on database ${made.database} to ${made.reader}`,
  ])
  url.pathname = `/${made.database}`
  await run(url, [
    'create schema shop',
    'create table shop.orders (id bigint primary key, customer text, placed_at timestamptz not null)',
    `insert into shop.orders select n, 'Customer ' || n % 7, timestamptz '2026-01-01Z' + n * interval '1 hour'
       from generate_series(1, 250) n`,
    `grant usage on schema shop to ${made.reader}`,
    `grant select on all tables in schema shop to ${made.reader}`,
    'analyze',
  ])
  return made
}

async function run(url: URL, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  return await withClient({ connectionString: url.href }, async (client) => {
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement))
    return rows
  })
}

export async function restoreDump(dump: string): Promise<URL> {
  const url = new URL(getEnvironment().databaseUrl)
  const name = `restored_${Math.random().toString(36).slice(2, 8)}`
  await run(url, [`create database ${name}`])
  url.pathname = `/${name}`
  await run(url, [dump.replaceAll(/^\\(?:un)?restrict .*$/gm, '')])
  return url
}

export const SHOP_TOKEN = 'shop-token-7'
const PAGE = 3
const ORDERS = Array.from({ length: 8 }, (_, at) => ({
  id: at + 1,
  customer: { name: `Customer ${at + 1}` },
  updated_at: `2026-03-0${at + 1}T10:00:00Z`,
}))

export async function startShopApi(): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await findFreePort()
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== `Bearer ${SHOP_TOKEN}`) return send(401, { error: 'Who are you?' })
    if (pathname !== '/v1/orders') return send(404, { error: 'Not here.' })
    const page = Number(searchParams.get('page') ?? 1)
    return send(200, { data: { items: ORDERS.slice((page - 1) * PAGE, page * PAGE) }, page })
  }
  const server = createServer(answer)
  await new Promise<void>((started) => server.listen(port, '127.0.0.1', started))
  return {
    url: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((stopped) => server.close(stopped))
    },
  }
}

export interface OutsideServer {
  values: { connection: Record<string, string | number> }
  /** Runs as superuser; returns the rows of the last statement. */
  sql(...statements: readonly string[]): Promise<Record<string, unknown>[]>
  halt(): Promise<void>
  resume(): Promise<void>
  stop(): Promise<void>
}

export async function startOutsideServer(more: Record<string, string> = {}): Promise<OutsideServer> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-outside-'))
  const settings = { fsync: 'off', shared_buffers: '32MB', max_connections: 40, ...more }
  let server = await startPostgres({ dataDir: folder, settings })
  await run(new URL(server.url), [
    'create database warehouse',
    "create role reader login password 'hush-warehouse'",
    'grant connect on database warehouse to reader',
  ])
  await run(new URL('/warehouse', server.url), [
    'create table public.parcels (id int primary key, city text not null, weight numeric, note text)',
    `insert into public.parcels
       select n, (array['Oslo', 'Lima', 'Kyoto'])[1 + n % 3], n / 10.0, repeat('careful ', case when n = 1 then 2000 else 1 end)
         from generate_series(1, 900) n`,
    "comment on table public.parcels is 'What left the warehouse.'",
    'create view public.heavy as select * from public.parcels where weight > 80',
    'grant select on all tables in schema public to reader',
    'analyze',
  ])
  const connection = { host: '127.0.0.1', port: server.port, database: 'warehouse', user: 'reader', tls: 'disable' }
  return {
    values: { connection: { ...connection, password: 'hush-warehouse' } },
    sql: (...statements) => run(new URL('/warehouse', server.url), statements),
    halt: () => server.stop(),
    resume: async () => {
      server = await startPostgres({ dataDir: folder, settings, port: server.port })
    },
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
