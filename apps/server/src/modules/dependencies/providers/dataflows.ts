import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type TableUser, findTableUsers } from '../../dataflows/table-users.service.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import type { DependencyProvider, TablesTarget } from '../provider.ts'

export const dataflows: DependencyProvider = {
  async listUsers(ctx, target) {
    return (await findUsers(ctx, target)).map((user) => toItem(user, describeUse(user)))
  },
  async listUsed(ctx, target) {
    const writers = (await findUsers(ctx, target)).filter(({ writes }) => writes.length > 0)
    return writers.map((user) => toItem(user, `Writes ${listNames(user.writes)}`))
  },
}

async function findUsers(
  ctx: WorkspaceCtx,
  { integrationCode, tables, wholeSchema }: TablesTarget,
): Promise<TableUser[]> {
  if (integrationCode !== managedCode(ctx.workspace.code)) return []
  return await findTableUsers(
    ctx,
    tables.map(({ schema, name }) => ({ schema_name: schema, table_name: name })),
    wholeSchema,
  )
}

const toItem = ({ name, dataflowName, dataflowCode }: TableUser, detail: string): Dependent => ({
  kind: 'dataflow',
  schema_name: null,
  name: `${name} (${dataflowName})`,
  detail,
  effect: 'stops',
  code: dataflowCode,
})

function describeUse({ reads, writes }: TableUser): string {
  const read = reads.length > 0 ? [`Reads ${listNames(reads)} and fails without it.`] : []
  const written = writes.length > 0 ? [`Writes ${listNames(writes)}. Its next run creates the table again.`] : []
  return [...read, ...written].join(' ')
}

const listNames = (tables: readonly { table_name: string }[]) => tables.map(({ table_name }) => table_name).join(', ')
