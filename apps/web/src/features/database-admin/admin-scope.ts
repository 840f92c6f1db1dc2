import { allows, type Permission } from '@trellis/contract/core/permissions'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import { useCurrentWorkspace } from '../accounts/accounts.queries.ts'

export type AdminPage = 'users' | 'groups' | 'roles' | 'external-profiles' | 'rights' | 'connection'

export function useAdminScope() {
  const { account, workspace, params: address, home } = useCurrentWorkspace()
  const { databaseId = '' } = useParams()
  const params = useMemo(() => ({ ...address, integration_trellis_code: databaseId }), [address, databaseId])
  const can = (permission: Permission) =>
    allows(permission, { accountRole: account.role, workspaceRole: workspace.role })
  const root = `${home}/explorer/${encodeURIComponent(databaseId)}`
  return {
    address,
    /** For endpoints with the database in their path. */
    params,
    database: databaseId,
    canRead: can('database-admin:read'),
    canWrite: can('database-admin:write'),
    root,
    path: (page: AdminPage, code?: string) =>
      `${root}/${page}${code === undefined ? '' : `/${encodeURIComponent(code)}`}`,
  }
}

export type AdminScope = ReturnType<typeof useAdminScope>
