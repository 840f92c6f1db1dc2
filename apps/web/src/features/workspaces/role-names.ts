import type { AccountRole, WorkspaceRole } from '@trellis/contract/core/permissions'

export const ROLE_NAMES: Record<AccountRole | WorkspaceRole, string> = {
  owner: 'Owner',
  account_admin: 'Full control',
  account_view: 'Partial access',
  workspace_admin: 'Admin',
  workspace_editor: 'Editor',
  workspace_viewer: 'Viewer',
}

/** `enterprise_trellis` → `Enterprise`, `experimental_user` → `Experimental`. */
export function planName(accountType: string): string {
  const word = accountType.split('_')[0] ?? ''
  return word.charAt(0).toUpperCase() + word.slice(1)
}
