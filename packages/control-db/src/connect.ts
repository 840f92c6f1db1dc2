import pg from 'pg'

/**
 * The driver tells a lost connection twice: to the query that runs, and as an `error` event. A client that is checked out
 * and between two statements has no query, and the pool listens only to idle ones: unheard, the event ends the process.
 * Whoever uses the client next gets a rejected query.
 */
const ignoreLoss = () => undefined

export function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', ignoreLoss)
  pool.on('connect', (client) => client.on('error', ignoreLoss))
  return pool
}

/** One connection for one piece of work, closed after it. */
export async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  client.on('error', ignoreLoss)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
