import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { listTableNames } from '../explorer/table-names.service.ts'

import { type ProjectTable, listProjectTables } from '../ai-projects/projects.service.ts'

/** Limits the grants of one login. */
const MAX_TABLES = 300

export interface VisibleTables {
  readonly integrationCode: string
  readonly tables: readonly ProjectTable[]
}

export async function listVisibleTables(ctx: WorkspaceCtx, projectCode: string): Promise<VisibleTables> {
  const own = managedCode(ctx.workspace.code)
  if (projectCode !== '') {
    const all = await listProjectTables(ctx, projectCode)
    const integrationCode = all[0]?.integration_code ?? own
    return { integrationCode, tables: all.filter((table) => table.integration_code === integrationCode) }
  }
  const names = await listTableNames(ctx, own)
  if (names.length > MAX_TABLES) {
    throw new AppError('invalid_request', `There are ${names.length} tables. Name an AI project with \`project\`.`)
  }
  const tables = names.map(({ schema, name }) => ({ integration_code: own, schema_name: schema, table_name: name }))
  return { integrationCode: own, tables }
}
