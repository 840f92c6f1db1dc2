import { type ClientConfig, PostgresClient } from '@trellis/postgres-client/client'
import pg from 'pg'

/**
 * The driver reports a lost connection to the running query and as an `error` event. A client checked out between two
 * statements has no query and no listener: without this one the event would crash the process.
 */
const ignoreLoss = () => undefined

export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ Client: PostgresClient, ...config })
  pool.on('error', ignoreLoss)
  pool.on('connect', (client) => client.on('error', ignoreLoss))
  return pool
}

export async function withClient<T>(config: ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new PostgresClient(config)
  client.on('error', ignoreLoss)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
