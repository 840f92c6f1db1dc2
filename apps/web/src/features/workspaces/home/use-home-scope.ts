import { allows, type Permission } from '@trellis/contract/core/permissions'
import { useCurrentWorkspace } from '../../accounts/accounts.queries.ts'

const part = encodeURIComponent

export function useHomeScope(managedDatabase: string) {
  const { account, workspace, params, home: root } = useCurrentWorkspace()
  const dataflow = (code: string) => `${root}/dataflow/${part(code)}/editor`
  const inDatabase = (database: string, schema: string, table: string) =>
    `${root}/explorer/${part(database)}/schema/${part(schema)}/table/${part(table)}/preview`
  return {
    root,
    params,
    can: (permission: Permission) => allows(permission, { accountRole: account.role, workspaceRole: workspace.role }),
    dataflow,
    flowRun: (run: { dataflow_trellis_code: string; flow_run_trellis_code: string }) =>
      `${dataflow(run.dataflow_trellis_code)}/logs/${part(run.flow_run_trellis_code)}`,
    inDatabase,
    table: (schema: string, table: string) => inDatabase(managedDatabase, schema, table),
    worksheet: (worksheet: { project_id: string; folder_id: string; file_id: string; name: string }) =>
      `${root}/explorer/project/${part(worksheet.project_id)}/folder/${part(worksheet.folder_id)}/worksheet/${part(worksheet.file_id)}/${part(worksheet.name)}/code-editor`,
    chat: (code: string) => `${root}/ai/chats/${part(code)}`,
  }
}

export type HomeScope = ReturnType<typeof useHomeScope>
