import { lazy } from 'react'

/** Dialogs of one feature that another one opens too; neither needs to know the other's files. */
export const DeleteWorkspaceDialog = lazy(async () => ({
  default: (await import('../features/workspaces/DeleteWorkspaceDialog.tsx')).DeleteWorkspaceDialog,
}))
