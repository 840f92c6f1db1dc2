import type { WorkspaceRole } from '@trellis/contract/core/permissions'

const ACCOUNT_ROLE_IDS = { account_view: 1, account_admin: 2 } as const
const WORKSPACE_ROLE_IDS = { workspace_viewer: 1, workspace_editor: 2, workspace_admin: 3 } as const

export type GivenAccountRole = keyof typeof ACCOUNT_ROLE_IDS

const toList = (ids: Record<string, number>) => Object.entries(ids).map(([name, id]) => ({ id, name }))
export const ACCOUNT_ROLE_LIST = toList(ACCOUNT_ROLE_IDS)
export const WORKSPACE_ROLE_LIST = toList(WORKSPACE_ROLE_IDS)

export function getAccountRoleId(role: GivenAccountRole | 'owner'): number {
  return ACCOUNT_ROLE_IDS[role === 'owner' ? 'account_admin' : role]
}

export const workspaceRoleId = (role: WorkspaceRole): number => WORKSPACE_ROLE_IDS[role]

const findName = (ids: Record<string, number>, id: number) => Object.entries(ids).find(([, known]) => known === id)?.[0]

export function findAccountRole(id: number): GivenAccountRole | undefined {
  return findName(ACCOUNT_ROLE_IDS, id) as GivenAccountRole | undefined
}

export function findWorkspaceRole(id: number): WorkspaceRole | undefined {
  return findName(WORKSPACE_ROLE_IDS, id) as WorkspaceRole | undefined
}
