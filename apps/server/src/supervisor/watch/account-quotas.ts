import { type AccountTypeName, getPlanLimits } from '@trellis/contract/billing/plans'
import { withClient } from '@trellis/control-db/connect'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { type AdminClient, type WatchedSession, measureDatabases } from '@trellis/workspace-db/watch/watched-sessions'

const ACCOUNTS_EVERY_MS = 60_000
const SIZES_EVERY_MS = 5_000
/** Hysteresis, so that writes are not toggled with every row. */
const RELEASE = 0.97

interface AccountStorage {
  readonly bytes: number
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
      accounts = await listAccounts(controlUrl(), findStorage)
      accountsAt = now
    }
    const writing = new Set(sessions.filter(({ writingMs }) => writingMs !== null).map(({ database }) => database))
    const found = new Set<string>()
    for (const { bytes, databases } of accounts) {
      const wasOver = databases.some((database) => over.has(database))
      if (!wasOver && !databases.some((database) => writing.has(database))) continue
      const sizes = await measureDatabases(client, databases)
      const used = [...sizes.values()].reduce((sum, size) => sum + size, 0)
      if (used > (wasOver ? bytes * RELEASE : bytes)) for (const database of databases) found.add(database)
    }
    over = found
    return over
  }
}

interface StoredDatabase {
  readonly account_id: number
  readonly account_type: AccountTypeName
  readonly database_key: string
}

async function listAccounts(
  url: string,
  findStorage: (type: AccountTypeName) => number | null,
): Promise<AccountStorage[]> {
  const { rows } = await withClient({ connectionString: url, application_name: 'trellis-watch' }, (client) =>
    client.query<StoredDatabase>(
      `select a.id as account_id, a.account_type, w.database_key
         from workspaces w join accounts a on a.id = w.account_id where w.database_key is not null`,
    ),
  )
  return [...Map.groupBy(rows, (row) => row.account_id).values()].flatMap((own) => {
    const storage = findStorage(own[0]?.account_type ?? 'internal')
    return storage === null
      ? []
      : [{ bytes: storage, databases: own.map(({ database_key }) => toWorkspaceNames(database_key).database) }]
  })
}
