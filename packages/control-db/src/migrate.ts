import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { withClient } from './connect.ts'
import type { AnyDb } from './database.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const LOCK = 7_236_401

export interface Migration {
  name: string
  sql: string
  checksum: string
}

export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(MIGRATIONS)).filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file)).toSorted()
  return await Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, MIGRATIONS), 'utf8')
      return { name: file.replace(/\.sql$/, ''), sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

export interface MigrationState {
  readonly applied: number
  readonly missing: string[]
  readonly changed: string[]
  readonly unknown: string[]
}

const UNDEFINED_TABLE = '42P01'

export async function findMigrationState(ctx: { readonly db: AnyDb }): Promise<MigrationState> {
  const applied = new Map((await listApplied(ctx)).map((row) => [row.name, row.checksum]))
  const ownMigrations = await readMigrations()
  const names = new Set(ownMigrations.map(({ name }) => name))
  return {
    applied: applied.size,
    missing: ownMigrations.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
    changed: ownMigrations
      .filter(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum)
      .map(({ name }) => name),
    unknown: [...applied.keys()].filter((name) => !names.has(name)),
  }
}

async function listApplied(ctx: { readonly db: AnyDb }): Promise<{ name: string; checksum: string }[]> {
  const query = sql<{ name: string; checksum: string }>`select name, checksum from schema_migrations order by name`
  try {
    return (await query.execute(ctx.db as Kysely<unknown>)).rows
  } catch (error) {
    if ((error as pg.DatabaseError).code === UNDEFINED_TABLE) return []
    throw error
  }
}

/** Safe to call concurrently: one process migrates, the others wait. */
export async function migrate(url: string): Promise<{ applied: string[] }> {
  return await withClient({ connectionString: url, application_name: 'trellis-migrate' }, async (client) => {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(
      'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
    )
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations',
    )
    const known = new Map(rows.map((row) => [row.name, row.checksum]))
    const applied: string[] = []
    for (const migration of await readMigrations()) {
      const checksum = known.get(migration.name)
      if (checksum === migration.checksum) continue
      if (checksum !== undefined) throw new Error(`Migration ${migration.name} was changed after it had been applied.`)
      await apply(client, migration)
      applied.push(migration.name)
    }
    return { applied }
  })
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    await client.query('begin')
    // Row-level security applies to the owner too: without this scope, an UPDATE would silently match no rows.
    await client.query("set local trellis.scope = 'system'")
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}
