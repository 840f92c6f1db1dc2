import { allows } from '@trellis/contract/core/permissions'
import { useLocation, useParams } from 'react-router'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'
import type { LoadMode } from './wizard.ts'

export interface UploadPlace {
  address: WorkspaceAddress
  database: string
  schema: string
  table: string | null
  mode: LoadMode
  canUpload: boolean
}

export function useUploadPlace(): UploadPlace {
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

function explorerPath({ address, database }: Pick<UploadPlace, 'address' | 'database'>): string {
  return `/${address.account_trellis_code}/${address.workspace_address}/explorer/${part(database)}`
}

function schemaPath(place: Pick<UploadPlace, 'address' | 'database' | 'schema'>): string {
  return `${explorerPath(place)}/schema/${part(place.schema)}`
}

export const filesPath = (place: UploadPlace) => `${schemaPath(place)}/files`

export const tablePath = (place: UploadPlace, table: string) => `${schemaPath(place)}/table/${part(table)}`

export function wizardPath(place: UploadPlace, to: { mode: LoadMode; table: string | null; fileId?: string }): string {
  const base =
    to.mode === 'new' || to.table === null ? `${filesPath(place)}/new` : `${tablePath(place, to.table)}/${to.mode}`
  return to.fileId === undefined ? base : `${base}?file=${to.fileId}`
}

export function successPath(place: UploadPlace, to: { mode: LoadMode; table: string | null; fileId: string }): string {
  return `${wizardPath(place, { mode: to.mode, table: to.table })}/${to.fileId}/success`
}
