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
/** Of the connections; the others are kept for everybody else. */
const SHARE_OF_ONE = 0.75

/** Ids stay far below 2^53, so they travel as numbers; everything else keeps the driver's own reading. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export interface InTurn {
  /** Whether the caller was found to belong to the place, for its next calls. */
  note(belongs: boolean): void
  query<R extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<R>>
  readonly db: Db
}

export interface ControlDb {
  /** The platform's own view: sign-in, jobs, anything that is not one account's work. */
  readonly db: Db
  readonly pool: pg.Pool
  /**
   * The platform's own view for a call from outside: it waits behind calls of the same place, never behind a crowd elsewhere.
   * Who is not known to belong there waits behind their own calls: knowing the name of a place must not be enough to use up
   * its turns.
   */
  inTurn(place: string, caller: string): InTurn
  /** The same database as one account sees it; row-level security hides every other account's rows. */
  forAccount(accountId: number): TenantDb
  close(): Promise<void>
}

export interface ControlDbOptions {
  readonly url: string
  readonly max?: number
  readonly name?: string
  /** Between here and Postgres is a pooler that lends out sessions for one transaction each. */
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
  const known = createKnownCallers()
  const db: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    inTurn: (place, caller) => {
      const key = known.has(place, caller) ? `place ${place}` : `caller ${caller}`
      return {
        note: (belongs) => known.set(place, caller, belongs),
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

/** The turn ends when the connection goes back to its pool, which gives it a new `release` each time it is taken. */
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
      // A transaction left open would be the next one's, scope and all.
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

/** A connection to the control database, whoever's view it is. */
export type AnyDb = Db | TenantDb

const waiting = new WeakMap<object, ((db: AnyDb) => void)[]>()

/** Runs `fn` in a transaction; inside one already open it simply joins it, so use cases compose. */
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

/** For work that goes on beyond its call: it starts once what was written is committed, and never inside of the transaction. */
export function afterCommit<C extends { readonly db: AnyDb }>(ctx: C, start: (ctx: C) => void): void {
  const callbacks = waiting.get(ctx.db)
  if (callbacks) callbacks.push((db) => start({ ...ctx, db }))
  else start(ctx)
}

/** The tables that every view has. */
export function platformTables(ctx: { readonly db: AnyDb }): TenantDb {
  return ctx.db as TenantDb
}
