import { generateWorkspaceKey } from '@trellis/workspace-db/names'
import { PROVISION_VERSION, provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { removeWorkspaceDatabase } from '@trellis/workspace-db/remove'
import pg from 'pg'
import { credentialsPlace, managedCode } from '../platform/workspace-database/open-database.ts'
import { type TestAccount, makeAccount, makeWorkspaceRow } from './accounts.ts'
import { keepSession, queryAnew } from './sessions/kept-session.ts'
import type { TestApp } from './test-app.ts'

type Tenant = { account_trellis_code: string; workspace_address: string }

export interface ReadyWorkspace {
  readonly account: TestAccount
  readonly id: number
  readonly key: string
  readonly tenant: Tenant
  readonly database: { integration_trellis_code: string }
  readonly integrationCode: string
  readonly params: Tenant & { integration_trellis_code: string }
  sql(...texts: string[]): Promise<readonly (readonly (string | null)[])[]>
  remove(): Promise<void>
}

export async function makeReadyWorkspace(
  app: TestApp,
  {
    account: givenTestAccount,
    address = 'shop',
    isSessionKept = false,
  }: { account?: TestAccount; address?: string; isSessionKept?: boolean } = {},
): Promise<ReadyWorkspace> {
  const account = givenTestAccount ?? (await makeAccount(app))
  const { id, code } = await makeWorkspaceRow(app, account, address)
  const key = generateWorkspaceKey()
  const cluster = await app.ctx.ports.cluster.open()
  const { database, credentials } = await provisionWorkspaceDatabase(cluster, { key })
  const sealed = await app.ctx.ports.secrets.seal(app.ctx, credentialsPlace(id), JSON.stringify(credentials))
  await app.database.db
    .updateTable('workspaces')
    .set({
      state: 'online',
      database_key: key,
      database_credentials: sealed,
      database_version: PROVISION_VERSION,
    })
    .where('id', '=', id)
    .execute()
  const tenant = { account_trellis_code: account.code, workspace_address: address }
  const integrationCode = managedCode(code)
  const integration = { integration_trellis_code: integrationCode }
  const target = { cluster, database, credentials }
  const kept = isSessionKept ? keepSession(app, target) : undefined
  const query = kept?.query ?? queryAnew(target)
  return {
    account,
    id,
    key,
    tenant,
    database: integration,
    integrationCode,
    params: { ...tenant, ...integration },
    sql: (...texts) => query(texts),
    remove: async () => {
      await kept?.close()
      await removeWorkspaceDatabase(cluster, { key })
    },
  }
}

export interface LoginSecret {
  readonly user_name: string
  readonly password: string
}

export async function connectAs(
  app: TestApp,
  { key }: Pick<ReadyWorkspace, 'key'>,
  secret: LoginSecret,
): Promise<pg.Client> {
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
  { database, secret }: { database: Pick<ReadyWorkspace, 'key'>; secret: LoginSecret },
  text: string,
): Promise<unknown[]> {
  const client = await connectAs(app, database, secret)
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
