import type pg from 'pg'
import { ApiError, notFoundError } from './api-error.ts'
import type { Kind, SandboxObject, SandboxObjects } from './stripe-objects.ts'

const LOCK = 7_236_409

export interface ListFilter {
  customer?: string
  limit?: number
  startingAfter?: string
  endingBefore?: string
  where?: Record<string, string | undefined>
  types?: string[]
}

export interface Store {
  query: <R extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<R[]>
  find: <K extends Kind>(kind: K, id: string) => Promise<SandboxObjects[K] | undefined>
  get: <K extends Kind>(kind: K, id: string) => Promise<SandboxObjects[K]>
  list: <K extends Kind>(kind: K, filter?: ListFilter) => Promise<SandboxObjects[K][]>
  put: <T extends SandboxObject>(object: T) => Promise<T>
}

/** All writes take one lock: exactness matters more than speed here. */
export async function withStore<T>(
  pool: pg.Pool,
  options: { isWrite: boolean },
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query(options.isWrite ? 'begin' : 'begin isolation level repeatable read read only')
    if (options.isWrite) await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    const result = await work(storeOn(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => (isBroken = true))
    throw error
  } finally {
    client.release(isBroken)
  }
}

function storeOn(client: pg.PoolClient): Store {
  const query: Store['query'] = async (text, values = []) => (await client.query(text, values)).rows as never
  const find = async <K extends Kind>(kind: K, id: string) => {
    // A NUL byte in an id would abort the transaction.
    if (!/^[\w-]+$/.test(id)) return undefined
    const rows = await query<{ body: SandboxObjects[K] }>(
      'select body from sandbox_objects where id = $1 and kind = $2',
      [id, kind],
    )
    return rows[0]?.body
  }
  return {
    query,
    find,
    get: async (kind, id) => {
      const found = await find(kind, id)
      if (!found) throw notFoundError(kind, id)
      return found
    },
    list: async (kind, filter = {}) => await listObjects(query, kind, filter),
    put: async (object) => {
      const customer = 'customer' in object ? object.customer : null
      const customerId = typeof customer === 'object' && customer !== null ? customer.id : customer
      await query(
        `insert into sandbox_objects (id, kind, customer_id, body) values ($1, $2, $3, $4)
         on conflict (id) do update set body = excluded.body, customer_id = excluded.customer_id`,
        [object.id, object.object, customerId, JSON.stringify(object)],
      )
      return object
    },
  }
}

async function listObjects<K extends Kind>(
  query: Store['query'],
  kind: K,
  filter: ListFilter,
): Promise<SandboxObjects[K][]> {
  const values: unknown[] = [kind]
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions = ['kind = $1']
  if (filter.customer !== undefined) conditions.push(`customer_id = ${bind(filter.customer)}`)
  for (const [path, value] of Object.entries(filter.where ?? {})) {
    if (value !== undefined) conditions.push(`body #>> ${bind(path.split('.'))} = ${bind(value)}`)
  }
  if (filter.types && filter.types.length > 0) conditions.push(`body ->> 'type' = any(${bind(filter.types)})`)
  const { startingAfter, endingBefore } = filter
  if (startingAfter !== undefined) conditions.push(`seq < ${bind(await readSequence(query, startingAfter))}`)
  if (endingBefore !== undefined) conditions.push(`seq > ${bind(await readSequence(query, endingBefore))}`)
  // The page before an object is the adjacent one, not the newest.
  const order = endingBefore === undefined ? 'desc' : 'asc'
  const limit = filter.limit === undefined ? '' : `limit ${bind(filter.limit)}`
  const sql = `select body from sandbox_objects where ${conditions.join(' and ')} order by seq ${order} ${limit}`
  const rows = (await query<{ body: SandboxObjects[K] }>(sql, values)).map((row) => row.body)
  return endingBefore === undefined ? rows : rows.toReversed()
}

async function readSequence(query: Store['query'], id: string): Promise<number> {
  const rows = await query<{ seq: string }>('select seq from sandbox_objects where id = $1', [id])
  if (!rows[0]) throw new ApiError(400, `No such object: '${id}'`, { code: 'resource_missing', param: 'ending_before' })
  return Number(rows[0].seq)
}
