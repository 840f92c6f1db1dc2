import type { AnyDb, Db } from '@trellis/control-db/database'

/** That of TRELLIS_CLUSTER_URL, or the built-in server. */
export const DEFAULT_CLUSTER = 1

interface ClusterRow {
  readonly id: number
  readonly name: string
  /** Null for the default cluster. */
  readonly address: string | null
  /** Of a server that follows it; that of the default cluster is in the settings. */
  readonly replica: string | null
}

const columns = ['id', 'name', 'address', 'replica'] as const

export async function findCluster({ db }: { readonly db: AnyDb }, id: number): Promise<ClusterRow | undefined> {
  return await (db as Db).selectFrom('clusters').select(columns).where('id', '=', id).executeTakeFirst()
}

export async function listClusters({ db }: { readonly db: AnyDb }): Promise<ClusterRow[]> {
  return await (db as Db).selectFrom('clusters').select(columns).orderBy('id').execute()
}
