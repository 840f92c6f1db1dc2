import type pg from 'pg'
import type { DetachedForeignKey } from './deleted-objects.ts'

export interface BinnedObject {
  readonly keyword: 'table' | 'view' | 'materialized view' | 'foreign table' | 'routine'
  readonly schema: string
  readonly name: string
  /** One bin schema per original schema, to avoid name clashes. */
  readonly bin: string
  readonly args: string | null
  readonly isNamed: boolean
}

/** A privilege revoked while in the bin. */
export interface SavedGrant {
  readonly on: 'table' | 'sequence' | 'schema' | 'column'
  readonly bin: string
  readonly name: string
  readonly column: string | null
  /** Null: PUBLIC. */
  readonly grantee: string | null
  readonly privilege: string
  readonly isGrantable: boolean
  /** Who granted it, if not the owner: a grantee with the grant option. */
  readonly grantor?: string | null
}

export interface SavedOwner {
  readonly keyword: string
  readonly bin: string
  readonly name: string
  readonly args: string | null
  readonly owner: string
}

export interface Manifest {
  readonly kind: 'table' | 'schema'
  readonly schema: string
  readonly table: string | null
  readonly bins: readonly { readonly bin: string; readonly schema: string }[]
  readonly objects: readonly BinnedObject[]
  readonly keys: readonly DetachedForeignKey[]
  readonly grants: readonly SavedGrant[]
  readonly owners: readonly SavedOwner[]
}

export const BIN_PREFIX = 'trellis_bin_'
const BIN_KEY = /^[0-9a-f]{16}$/

/** Used unquoted in schema names. */
export function toBinSchemaName(binKey: string, index: number): string {
  if (!BIN_KEY.test(binKey)) throw new Error('The key of a deletion is 16 hexadecimal digits.')
  return `${BIN_PREFIX}${binKey}_${index}`
}

const MANIFEST_TABLE = 'trellis.recycle_bin'

/** In the transaction that moves the objects. */
export async function saveManifest(client: pg.Client, binKey: string, manifest: Manifest): Promise<void> {
  await client.query(
    `create table if not exists ${MANIFEST_TABLE} (bin_key text primary key, manifest jsonb not null, deleted_at timestamptz not null default now())`,
  )
  await client.query(`insert into ${MANIFEST_TABLE} (bin_key, manifest) values ($1, $2)`, [
    binKey,
    JSON.stringify(manifest),
  ])
}

export async function findManifest(client: pg.Client, binKey: string): Promise<Manifest | undefined> {
  if (!(await hasManifests(client))) return undefined
  const { rows } = await client.query<{ manifest: Manifest }>(
    `select manifest from ${MANIFEST_TABLE} where bin_key = $1 for update`,
    [binKey],
  )
  return rows[0]?.manifest
}

export async function deleteManifest(client: pg.Client, binKey: string): Promise<void> {
  await client.query(`delete from ${MANIFEST_TABLE} where bin_key = $1`, [binKey])
}

export async function listBinKeys(client: pg.Client): Promise<string[]> {
  if (!(await hasManifests(client))) return []
  const { rows } = await client.query<{ key: string }>(`select bin_key as key from ${MANIFEST_TABLE} order by 1`)
  return rows.map(({ key }) => key)
}

async function hasManifests(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('${MANIFEST_TABLE}') is not null as there`,
  )
  return rows[0]?.there ?? false
}
