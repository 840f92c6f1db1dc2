import { newWorkspaceKey } from '@trellis/workspace-db/names'
import { provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { removeWorkspaceDatabase } from '@trellis/workspace-db/remove'
import pg from 'pg'
import { credentialsPlace, managedCode } from '../modules/explorer/database.service.ts'
import { type TestAccount, makeWorkspaceRow } from './accounts.ts'
import type { TestApp } from './test-app.ts'

export interface TestDatabaseOf {
  readonly id: number
  readonly key: string
  readonly integrationCode: string
  readonly params: { account_trellis_code: string; workspace_address: string; integration_trellis_code: string }
  remove(): Promise<void>
}

/** A workspace with its real database in an account that is there; whoever makes it removes it. */
export async function makeWorkspaceWithDatabase(
  app: TestApp,
  account: TestAccount,
  address: string,
): Promise<TestDatabaseOf> {
  const { id, code } = await makeWorkspaceRow(app, account, address)
  const key = newWorkspaceKey()
  const cluster = await app.ctx.ports.cluster.open()
  const { credentials } = await provisionWorkspaceDatabase(cluster, { key })
  const sealed = await app.ctx.ports.secrets.seal(app.ctx, credentialsPlace(id), JSON.stringify(credentials))
  await app.database.db
    .updateTable('workspaces')
    .set({ state: 'online', database_key: key, database_credentials: sealed })
    .where('id', '=', id)
    .execute()
  const integrationCode = managedCode(code)
  return {
    id,
    key,
    integrationCode,
    params: {
      account_trellis_code: account.code,
      workspace_address: address,
      integration_trellis_code: integrationCode,
    },
    remove: () => removeWorkspaceDatabase(cluster, { key }),
  }
}

export interface LoginSecret {
  readonly user_name: string
  readonly password: string
}

/** As an outside tool connects: with the login's name and password, over TCP. */
export async function connectAs(app: TestApp, { key }: TestDatabaseOf, secret: LoginSecret): Promise<pg.Client> {
  const cluster = await app.ctx.ports.cluster.open()
  const client = new pg.Client(
    cluster.loginConfig({ database: `w_${key}`, user: secret.user_name, password: secret.password }),
  )
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export async function runAs(
  app: TestApp,
  { database, secret }: { database: TestDatabaseOf; secret: LoginSecret },
  text: string,
): Promise<unknown[]> {
  const client = await connectAs(app, database, secret)
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
