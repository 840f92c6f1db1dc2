import { openControlDb } from '@trellis/control-db/database'
import { openWorkspaceDatabase } from '../apps/server/src/platform/workspace-database/open-database.ts'
import { handleProvision } from '../apps/server/src/modules/workspaces/provision.handler.ts'
import { systemClock } from '../apps/server/src/platform/clock.ts'
import { readConfig } from '../apps/server/src/platform/config.ts'
import { createLogger } from '../apps/server/src/platform/logger.ts'
import { openPorts } from '../apps/server/src/platform/open-ports.ts'

/** An account with one workspace and its database, and what the server works with; nothing of it runs. */
export async function makeWorkspace(env: Record<string, string>, name: string) {
  const config = readConfig(env)
  const control = openControlDb({ url: config.databaseUrl as string, max: 4 })
  const ports = openPorts(config)
  const log = createLogger({ level: config.logLevel, role: name })
  const ctx = { db: control.db, clock: systemClock, log, ports, requestId: name }
  const account = await control.db
    .insertInto('accounts')
    .values({ trellis_code: name, name, account_type: 'team' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const code = `${name}-w`
  const workspace = await control.db
    .insertInto('workspaces')
    .values({ account_id: account.id, trellis_code: code, name, workspace_address: name, state: 'provisioning' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { signal } = new AbortController()
  const run = { id: '', job: '', attempt: 1, isLastAttempt: true, signal }
  await handleProvision(ctx, { workspace_id: workspace.id }, run)
  const integrationCode = `${code}-db`
  return {
    ctx,
    accountId: account.id,
    workspace: { id: workspace.id, code },
    integrationCode,
    database: await openWorkspaceDatabase(ctx, { workspaceId: workspace.id, integrationCode }),
    close: async () => {
      await ports.cluster.close()
      await ports.payments.close()
      await control.close()
    },
  }
}
