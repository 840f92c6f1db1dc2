import type { SystemCtx } from '../../platform/ctx.ts'
import { notify } from '../notifications/notifications.service.ts'
import { type ExportRow, findAddress } from './exports.repository.ts'

export async function notifyExport(ctx: SystemCtx, row: ExportRow, problem: string | null): Promise<void> {
  const workspace = await findAddress(ctx, row.workspace_id)
  if (!workspace || row.profile_id === null) return
  const part = encodeURIComponent
  const table = `${row.schema_name}.${row.table_name}`
  const home = `/${workspace.account_code}/${workspace.workspace_address}/explorer/${part(row.integration_code)}`
  await notify(ctx, [row.profile_id], {
    account_id: row.account_id,
    workspace_id: row.workspace_id,
    kind: problem === null ? 'export_finished' : 'export_failed',
    title: problem === null ? `The export of ${table} is ready` : `The export of ${table} failed`,
    detail: problem ?? 'It can be downloaded for a day from the exports of the table.',
    path: `${home}/schema/${part(row.schema_name)}/table/${part(row.table_name)}/preview`,
    group_key: `export:${row.id}`,
  })
}
