import { createHash } from 'node:crypto'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findProjectTables } from '../../ai-projects/projects.service.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { listUnreadableTables } from '../../explorer/table-names.service.ts'
import { getOutsideDatabaseKey } from '../../integrations/outside-databases.service.ts'
import type { SourceRow } from '../versions.repository.ts'

const refuse = () => new AppError('forbidden', 'You have no access to a table that this source reads.')

/**
 * Names everybody who gets the same rows. A query runs under a login made for the tables of the project (or under the login of
 * a connected database), so these are all who may read each of its tables now; whoever may not gets no key and no rows.
 */
export async function getRightsKey(
  ctx: WorkspaceCtx,
  projectId: number,
  { integration_code: code, tables }: Pick<SourceRow, 'integration_code' | 'tables'>,
): Promise<string> {
  const chosen = await findProjectTables(ctx, projectId)
  const isChosen = tables.every(({ schema, name }) =>
    chosen.some((one) => one.integration_code === code && one.schema_name === schema && one.table_name === name),
  )
  if (!isChosen)
    throw new AppError('forbidden', 'The project of this spark has no access to a table that this source reads.')
  const isOwn = code === managedCode(ctx.workspace.code)
  if (isOwn) await assertReadable(ctx, code, tables)
  const place = isOwn ? 'workspace' : await getPlace(ctx, code)
  return createHash('sha256')
    .update(JSON.stringify([code, place]))
    .digest('hex')
}

/** Whoever sees the spark knows of the source already: "not found" would only puzzle them. */
async function getPlace(ctx: WorkspaceCtx, code: string): Promise<string> {
  try {
    return await getOutsideDatabaseKey(ctx, code)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw new AppError('forbidden', 'This source reads a database that you have no access to, or that is disconnected.')
  }
}

async function assertReadable(ctx: WorkspaceCtx, code: string, tables: SourceRow['tables']): Promise<void> {
  try {
    if ((await listUnreadableTables(ctx, code, tables)).length > 0) throw refuse()
  } catch (error) {
    // A database that does not answer says nothing about rights: the query will fail too, and the last rows are shown.
    const isAway = error instanceof AppError ? error.code === 'unavailable' : error instanceof WorkspaceDbError
    if (!isAway) throw error
  }
}
