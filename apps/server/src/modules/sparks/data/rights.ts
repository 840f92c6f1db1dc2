import { createHash } from 'node:crypto'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findProjectTables } from '../../ai-projects/projects.service.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { listUnreadableTables } from '../../explorer/table-names.service.ts'
import { getOutsideDatabaseKey } from '../../integrations/outside-databases.service.ts'
import type { SourceRow } from '../versions.repository.ts'

const noAccessError = () => new AppError('forbidden', 'You have no access to a table that this source reads.')

/**
 * Cache key for viewers with equal rights. Queries run under a login for the project's tables, so the key is given to
 * everyone who may read all of them.
 */
export async function getRightsKey(
  ctx: WorkspaceCtx,
  projectId: number,
  { integration_code: code, tables }: Pick<SourceRow, 'integration_code' | 'tables'>,
): Promise<string> {
  const chosen = await findProjectTables(ctx, projectId)
  const isChosen = tables.every(({ schema, name }) =>
    chosen.some(
      (projectTable) =>
        projectTable.integration_code === code &&
        projectTable.schema_name === schema &&
        projectTable.table_name === name,
    ),
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

/** A not_found would confuse someone who sees the spark. */
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
    if ((await listUnreadableTables(ctx, code, tables)).length > 0) throw noAccessError()
  } catch (error) {
    // An unreachable database says nothing about rights: cached rows are shown.
    const isAway = error instanceof AppError ? error.code === 'unavailable' : error instanceof WorkspaceDbError
    if (!isAway) throw error
  }
}
