import { newWorkspaceKey } from '@trellis/workspace-db/names'
import { provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { removeWorkspaceDatabase } from '@trellis/workspace-db/remove'
import { withSession } from '@trellis/workspace-db/session'
import { credentialsPlace, managedCode } from '../modules/explorer/database.service.ts'
import { type TestAccount, makeAccount, makeWorkspaceRow } from './accounts.ts'
import type { TestApp } from './test-app.ts'

export interface ReadyWorkspace {
  readonly account: TestAccount
  readonly id: number
  readonly key: string
  /** Path parameters of its calls. */
  readonly tenant: { account_trellis_code: string; workspace_address: string }
  readonly database: { integration_trellis_code: string }
  /** Statements as the owner of the data, one after the other. */
  sql(...texts: string[]): Promise<readonly (readonly (string | null)[])[]>
  remove(): Promise<void>
}

/** An account with a workspace whose database is there, without the detour over a worker. */
export async function makeReadyWorkspace(app: TestApp, address = 'shop'): Promise<ReadyWorkspace> {
  const account = await makeAccount(app)
  const { id, code } = await makeWorkspaceRow(app, account, address)
  const key = newWorkspaceKey()
  const cluster = await app.ctx.ports.cluster.open()
  const { database, credentials } = await provisionWorkspaceDatabase(cluster, { key })
  const sealed = await app.ctx.ports.secrets.seal(app.ctx, credentialsPlace(id), JSON.stringify(credentials))
  await app.database.db
    .updateTable('workspaces')
    .set({ state: 'online', database_key: key, database_credentials: sealed })
    .where('id', '=', id)
    .execute()
  return {
    account,
    id,
    key,
    tenant: { account_trellis_code: account.code, workspace_address: address },
    database: { integration_trellis_code: managedCode(code) },
    sql: (...texts) =>
      withSession(cluster, { database, credentials, role: 'rw' }, async (session) => {
        let rows: readonly (readonly (string | null)[])[] = []
        for (const text of texts) rows = (await session.query({ text })).rows
        return rows
      }),
    remove: () => removeWorkspaceDatabase(cluster, { key }),
  }
}
