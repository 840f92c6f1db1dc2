import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { openPool } from './connect.ts'
import { type FairTurns, createFairTurns } from './fair-turns.ts'
import { createKnownCallers } from './known-callers.ts'
import { type Scope, ScopedClient } from './scoped-client.ts'
import type { PlatformTables, Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type TenantDb = Kysely<PlatformTables>

const INT8 = 20
const CONNECT_MS = 10_000
const SHARE_OF_ONE = 0.75

/** Ids stay far below 2^53, so bigint is read as number. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export interface FairConnection {
  note(belongs: boolean): void
  query<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<R>>
  readonly db: Db
}

export interface ControlDb {
  readonly db: Db
  readonly pool: pg.Pool
  /**
   * Fair queueing for requests: a request waits behind others of its workspace only. Callers not known to be members
   * queue separately, so that guessing a workspace's name is not enough to block it.
   */
  inTurn(place: string, caller: string): FairConnection
  /** Row-level security hides other accounts. */
  forAccount(accountId: number): TenantDb
  close(): Promise<void>
}

export interface ControlDbOptions {
  readonly url: string
  readonly max?: number
  readonly name?: string
  /** Behind a pooler in transaction mode. */
  readonly isPooled?: boolean
}

export function openControlDb({ url, max = 10, name = 'trellis', isPooled = false }: ControlDbOptions): ControlDb {
  const common = {
    connectionString: url,
    types,
    max,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    Client: ScopedClient as unknown as typeof pg.Client,
    isPooled,
  }
  const pool = openPool(common)
  pool.on('connect', (client) => setScope(client, 'system'))
  const tenants = openPool({ ...common, idleTimeoutMillis: 30_000 })
  tenants.on('release', (_, client) => setScope(client, undefined))
  const limits = { total: max, perKey: Math.max(2, Math.floor(max * SHARE_OF_ONE)), waitMs: CONNECT_MS }
  const [turns, tenantTurns] = [createFairTurns(limits), createFairTurns(limits)]
  const knownCaller = createKnownCallers()
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    inTurn: (place, caller) => {
      const key = knownCaller.has(place, caller) ? `place ${place}` : `caller ${caller}`
      return {
        note: (belongs) => knownCaller.set(place, caller, belongs),
        async query(query) {
          const leave = await turns.take(key)
          try {
            return await pool.query(query)
          } finally {
            leave()
          }
        },
        get db() {
          return openView<Tables>(pool, () => connectInTurn(turns, key, () => pool.connect()))
        },
      }
    },
    forAccount: (accountId) =>
      openView<PlatformTables>(tenants, () =>
        connectInTurn(tenantTurns, String(accountId), () => connectAs(tenants, accountId)),
      ),
    close: async () => {
      await Promise.all([pool.end(), tenants.end()])
    },
  }
}

const openView = <T>({ options }: pg.Pool, connect: () => Promise<pg.PoolClient>): Kysely<T> =>
  new Kysely<T>({ dialect: new PostgresDialect({ pool: { options, connect, end: async () => undefined } }) })

/** `release` is replaced with every checkout, and ends the turn. */
async function connectInTurn(
  turns: FairTurns,
  key: string,
  connect: () => Promise<pg.PoolClient>,
): Promise<pg.PoolClient> {
  const leave = await turns.take(key)
  try {
    const client = await connect()
    const { release } = client
    client.release = (error) => {
      // A transaction left open would leak its scope into the next checkout.
      release(error || client.getTransactionStatus() !== 'I')
      leave()
    }
    return client
  } catch (error) {
    leave()
    throw error
  }
}

async function connectAs(pool: pg.Pool, accountId: number): Promise<pg.PoolClient> {
  const client = await pool.connect()
  setScope(client, accountId)
  return client
}

function setScope(client: pg.PoolClient, scope: Scope | undefined): void {
  ;(client as unknown as ScopedClient).scope = scope
}

export type AnyDb = Db | TenantDb

const waiting = new WeakMap<object, ((db: AnyDb) => void)[]>()

/** Joins a transaction that is already open. */
export async function transaction<C extends { readonly db: AnyDb }, R>(ctx: C, fn: (ctx: C) => Promise<R>): Promise<R> {
  if (ctx.db.isTransaction) return await fn(ctx)
  const callbacks: ((db: AnyDb) => void)[] = []
  const result = await (ctx.db as Db).transaction().execute(async (db) => {
    waiting.set(db, callbacks)
    return await fn({ ...ctx, db })
  })
  for (const callback of callbacks) callback(ctx.db)
  return result
}

/** For work that outlives the request: starts after the commit. */
export function afterCommit<C extends { readonly db: AnyDb }>(ctx: C, start: (ctx: C) => void): void {
  const callbacks = waiting.get(ctx.db)
  if (callbacks) callbacks.push((db) => start({ ...ctx, db }))
  else start(ctx)
}

export function platformTables(ctx: { readonly db: AnyDb }): TenantDb {
  return ctx.db as TenantDb
}
