import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { openControlDb } from '@trellis/control-db/database'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { getEnvironment } from './environment.ts'

export interface OutsideDatabase {
  port: string
  database: string
  /** May connect and read. */
  reader: string
  /** May log in, but not into this database. */
  stranger: string
  password: string
}

/** Somebody else's PostgreSQL: a database beside the product's own, with logins of its own. */
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

async function run(url: URL, statements: readonly string[]): Promise<void> {
  const database = openControlDb({ url: url.href, max: 1 })
  try {
    for (const statement of statements) await database.pool.query(statement)
  } finally {
    await database.close()
  }
}

export const SHOP_TOKEN = 'shop-token-7'
const PAGE = 3
const ORDERS = Array.from({ length: 8 }, (_, at) => ({
  id: at + 1,
  customer: { name: `Customer ${at + 1}` },
  updated_at: `2026-03-0${at + 1}T10:00:00Z`,
}))

/** A web API nobody has a connector for: pages of orders behind a token. */
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
