import { allows } from '@trellis/contract/core/permissions'
import { useLocation, useParams } from 'react-router'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import type { LoadMode } from './wizard.ts'

export interface UploadScope {
  address: WorkspaceAddress
  database: string
  schema: string
  table: string | null
  mode: LoadMode
  canUpload: boolean
}

export function useUploadPlace(): UploadScope {
  const { account, workspace, params: address } = useCurrentWorkspace()
  const { databaseId = '', schemaId = '', tableId } = useParams()
  const { pathname } = useLocation()
  return {
    address,
    database: databaseId,
    schema: schemaId,
    table: tableId ?? null,
    mode: parseLoadMode(pathname, tableId !== undefined),
    canUpload: allows('uploads:write', { accountRole: account.role, workspaceRole: workspace.role }),
  }
}

export function parseLoadMode(pathname: string, hasTable: boolean): LoadMode {
  if (!hasTable) return 'new'
  // A table may be called `replace` too: the mode is the segment after its name.
  const mode = pathname.split('/')[9]
  return mode === 'replace' || mode === 'upsert' ? mode : 'append'
}

const part = encodeURIComponent

function explorerPath({ address, database }: Pick<UploadScope, 'address' | 'database'>): string {
  return `/${address.account_trellis_code}/${address.workspace_address}/explorer/${part(database)}`
}

function schemaPath(target: Pick<UploadScope, 'address' | 'database' | 'schema'>): string {
  return `${explorerPath(target)}/schema/${part(target.schema)}`
}

export const filesPath = (scope: UploadScope) => `${schemaPath(scope)}/files`

export const tablePath = (scope: UploadScope, table: string) => `${schemaPath(scope)}/table/${part(table)}`

export function wizardPath(scope: UploadScope, to: { mode: LoadMode; table: string | null; fileId?: string }): string {
  const base =
    to.mode === 'new' || to.table === null ? `${filesPath(scope)}/new` : `${tablePath(scope, to.table)}/${to.mode}`
  return to.fileId === undefined ? base : `${base}?file=${to.fileId}`
}

export function successPath(scope: UploadScope, to: { mode: LoadMode; table: string | null; fileId: string }): string {
  return `${wizardPath(scope, { mode: to.mode, table: to.table })}/${to.fileId}/success`
}
