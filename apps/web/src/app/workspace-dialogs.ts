import { lazy } from 'react'

export const DeleteWorkspaceDialog = lazy(async () => ({
  default: (await import('../features/workspaces/DeleteWorkspaceDialog.tsx')).DeleteWorkspaceDialog,
}))
