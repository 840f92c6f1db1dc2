import { type AccountTypeName, getPlanLimits } from '@trellis/contract/billing/plans'
import { withClient } from '@trellis/control-db/connect'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { DEFAULT_CLUSTER } from '../../platform/clusters/clusters.repository.ts'
import { type AdminClient, type WatchedSession, measureDatabases } from '@trellis/workspace-db/watch/watched-sessions'

const ACCOUNTS_EVERY_MS = 60_000
const SIZES_EVERY_MS = 5_000
/** Hysteresis, so that writes are not toggled with every row. */
const RELEASE = 0.97

interface AccountStorage {
  readonly limitBytes: number
  /** When last measured. */
  readonly otherClustersBytes: number
  readonly databases: readonly string[]
}

interface QuotaOptions {
  readonly controlUrl: () => string
  /** In bytes; null is unlimited. */
  readonly findStorage?: (type: AccountTypeName) => number | null
  readonly everyMs?: { readonly accounts: number; readonly sizes: number }
}

export function watchQuotas({
  controlUrl,
  findStorage = (type) => getPlanLimits(type).storage,
  everyMs = { accounts: ACCOUNTS_EVERY_MS, sizes: SIZES_EVERY_MS },
}: QuotaOptions) {
  let accounts: readonly AccountStorage[] = []
  let accountsAt = Number.NEGATIVE_INFINITY
  let sizesAt = Number.NEGATIVE_INFINITY
  let over: ReadonlySet<string> = new Set()

  return async (client: AdminClient, sessions: readonly WatchedSession[]): Promise<ReadonlySet<string>> => {
    const now = performance.now()
    if (now - sizesAt < everyMs.sizes) return over
    sizesAt = now
    if (now - accountsAt >= everyMs.accounts) {
      accounts = await listAccountsWithQuota(controlUrl(), findStorage)
      accountsAt = now
    }
    const writing = new Set(sessions.filter(({ writingMs }) => writingMs !== null).map(({ database }) => database))
    const found = new Set<string>()
    for (const { limitBytes, otherClustersBytes, databases } of accounts) {
      const wasOver = databases.some((database) => over.has(database))
      if (!wasOver && !databases.some((database) => writing.has(database))) continue
      const sizes = await measureDatabases(client, databases)
      const used = [...sizes.values()].reduce((sum, size) => sum + size, otherClustersBytes)
      if (used > (wasOver ? limitBytes * RELEASE : limitBytes)) for (const database of databases) found.add(database)
    }
    over = found
    return over
  }
}

interface StoredDatabase {
  readonly account_id: number
  readonly account_type: AccountTypeName
  readonly database_key: string
  readonly other_cluster_bytes: number | null
}

async function listAccountsWithQuota(
  url: string,
  findStorage: (type: AccountTypeName) => number | null,
): Promise<AccountStorage[]> {
  const { rows } = await withClient({ connectionString: url, application_name: 'trellis-watch' }, (client) =>
    client.query<StoredDatabase>(
      `select a.id as account_id, a.account_type, w.database_key,
              case when w.cluster_id <> ${DEFAULT_CLUSTER} then w.storage_bytes end::float8 as other_cluster_bytes
         from workspaces w join accounts a on a.id = w.account_id where w.database_key is not null`,
    ),
  )
  return [...Map.groupBy(rows, (row) => row.account_id).values()].flatMap((ownDatabases) => {
    const storage = findStorage(ownDatabases[0]?.account_type ?? 'internal')
    const here = ownDatabases.filter((workspace) => workspace.other_cluster_bytes === null)
    if (storage === null || here.length === 0) return []
    return [
      {
        limitBytes: storage,
        otherClustersBytes: ownDatabases.reduce((sum, workspace) => sum + (workspace.other_cluster_bytes ?? 0), 0),
        databases: here.map(({ database_key }) => toWorkspaceNames(database_key).database),
      },
    ]
  })
}
