import { SANDBOX_SCHEMA, type Sandbox } from '@trellis/contract/sandbox/sandbox.endpoints'
import { findSchema } from '@trellis/workspace-db/catalogue/find-table'
import { readObjects, withCatalogueSession } from '@trellis/workspace-db/catalogue/plain-session'
import { SAMPLE_TABLES, listSampleStatements } from '@trellis/workspace-db/samples/shop'
import { createSchema } from '@trellis/workspace-db/schemas/change-schemas'
import type { Session } from '@trellis/workspace-db/session'
import { inTransaction } from '@trellis/workspace-db/session/in-transaction'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { readUsage } from '../dependencies/dependencies.service.ts'
import { type OpenDatabase, managedCode, openDatabase } from '../../platform/workspace-database/open-database.ts'
import { deleteToBin } from '../recycle-bin/delete-to-bin.service.ts'

const MAX_NAMED = 5

export async function getSandbox(ctx: WorkspaceCtx): Promise<Sandbox> {
  const database = await openDatabase(ctx, managedCode(ctx.workspace.code))
  return await withSandbox(ctx, { database, role: 'ro' }, (session) => readSandbox(ctx, session))
}

export async function resetSandbox(ctx: WorkspaceCtx): Promise<Sandbox> {
  const integrationCode = managedCode(ctx.workspace.code)
  const database = await openDatabase(ctx, integrationCode)
  const { cluster, key } = database
  return await withSandbox(ctx, { database, role: 'rw' }, async (session) => {
    if (await findSchema(session, SANDBOX_SCHEMA)) {
      const place = { integrationCode, schema: SANDBOX_SCHEMA }
      const usage = await readUsage(ctx, place)
      // Dependents with effect `kept` find tables of the same names again.
      assertUnused(usage.used_by.filter(({ effect }) => effect !== 'kept'))
      await deleteToBin(ctx, place, { cascade: true, confirmed: usage.confirmation })
    }
    await createSchema(cluster, { key, name: SANDBOX_SCHEMA })
    await inTransaction(session, async () => {
      for (const text of listSampleStatements(SANDBOX_SCHEMA)) await session.query({ text })
    })
    await session.query({ text: `analyze ${SAMPLE_TABLES.map((name) => `${SANDBOX_SCHEMA}.${name}`).join(', ')}` })
    return await readSandbox(ctx, session)
  })
}

interface SandboxDatabase {
  readonly database: OpenDatabase
  readonly role: 'ro' | 'rw'
}

async function withSandbox<T>(
  ctx: WorkspaceCtx,
  openedSandboxDatabase: SandboxDatabase,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { cluster, database, credentials } = openedSandboxDatabase.database
  const person = String(ctx.actor.profileId)
  const target = { database, credentials, role: openedSandboxDatabase.role, signal: ctx.http.signal, person }
  return await withCatalogueSession(cluster, target, work)
}

function assertUnused(usedBy: readonly { name: string }[]): void {
  if (usedBy.length === 0) return
  const names = usedBy.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = usedBy.length > MAX_NAMED ? ` and ${usedBy.length - MAX_NAMED} more` : ''
  throw new AppError(
    'conflict',
    `The sandbox is used by ${names.join(', ')}${more}. Change or delete what uses it, then reset it.`,
  )
}

async function readSandbox(ctx: WorkspaceCtx, session: Session): Promise<Sandbox> {
  const tables = await readObjects<Sandbox['tables'][number]>(
    session,
    `select c.relname as table_name, case when c.relkind in ('v', 'm') then 'view' else 'table' end as kind,
            case when c.relkind = 'v' or c.reltuples < 0 then null else c.reltuples::bigint end as rows_estimate
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
      order by 2, 1`,
    [SANDBOX_SCHEMA],
  )
  return {
    integration_trellis_code: managedCode(ctx.workspace.code),
    schema_name: SANDBOX_SCHEMA,
    is_ready: (await findSchema(session, SANDBOX_SCHEMA)) !== undefined,
    tables: [...tables],
  }
}
