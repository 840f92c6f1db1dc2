import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { type WorksheetUser, findWorksheetUsers } from '../../worksheets/usage/table-users.service.ts'
import type { DependencyProvider, TablesTarget } from '../provider.ts'

export const worksheets: DependencyProvider = {
  async listUsers(ctx, target) {
    return (await findUsers(ctx, target)).map((user) => toItem(user, describe(user)))
  },
  async listUsed(ctx, target) {
    const writers = (await findUsers(ctx, target)).filter(({ writes, isDraft }) => writes.length > 0 && !isDraft)
    return writers.map((user) => toItem(user, `Writes ${listNames(user.writes)}`))
  },
}

/** A worksheet's database is chosen per run; assumes the workspace's own. */
async function findUsers(
  ctx: WorkspaceCtx,
  { integrationCode, tables, wholeSchema }: TablesTarget,
): Promise<WorksheetUser[]> {
  if (integrationCode !== managedCode(ctx.workspace.code)) return []
  return await findWorksheetUsers(ctx, tables, wholeSchema)
}

const toItem = ({ path, projectName, isDraft, ...place }: WorksheetUser, detail: string): Dependent => ({
  kind: 'worksheet',
  schema_name: null,
  name: `${path} (${projectName})`,
  detail,
  effect: isDraft ? 'kept' : 'stops',
  code: `${place.projectId}/${place.folderId}/${place.fileId}`,
})

function describe({ reads, writes, isDraft }: WorksheetUser): string {
  const verbs = [
    ...(reads.length > 0 ? [`reads ${listNames(reads)}`] : []),
    ...(writes.length > 0 ? [`writes ${listNames(writes)}`] : []),
  ].join(' and ')
  const sentence = `${verbs.slice(0, 1).toUpperCase()}${verbs.slice(1)}`
  return isDraft ? `Your draft ${verbs}` : sentence
}

const listNames = (tables: readonly { name: string }[]) => tables.map(({ name }) => name).join(', ')
