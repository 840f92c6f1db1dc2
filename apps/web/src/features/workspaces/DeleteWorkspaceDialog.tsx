import { useState } from 'react'
import { useNavigate } from 'react-router'
import { showToast } from '../../ui/feedback/toasts.ts'
import { Checkbox } from '../../ui/forms/Choices.tsx'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { useRestoreDeleted } from '../accounts/accounts.queries.ts'
import styles from './workspaces.module.css'
import { useDeleteWorkspace, useRefreshWorkspaces } from './workspaces.queries.ts'

export interface WorkspaceToDelete {
  trellis_code: string
  name: string
  workspace_address: string
  account_trellis_code: string
}

/** Navigates to `leadsTo` first: the workspace's own pages must be left before their data is gone. */
export function DeleteWorkspaceDialog({
  workspace,
  leadsTo = '/workspaces',
  onClose,
}: {
  workspace: WorkspaceToDelete
  leadsTo?: string | null
  onClose: () => void
}) {
  const [isUnderstood, setUnderstood] = useState(false)
  const [problem, setProblem] = useState<string>()
  const remove = useDeleteWorkspace()
  const restore = useRestoreDeleted()
  const refresh = useRefreshWorkspaces()
  const navigate = useNavigate()
  const { trellis_code, name, workspace_address, account_trellis_code } = workspace

  const confirm = async () => {
    setProblem(undefined)
    try {
      await remove.mutateAsync({ params: { account_trellis_code }, query: { workspace_address } })
    } catch {
      setProblem('Failed to delete workspace. Please try again.')
      return
    }
    showToast({
      tone: 'success',
      text: 'Workspace successfully deleted.',
      action: { label: 'Undo', onSelect: () => restore.mutate({ params: { kind: 'workspace', trellis_code } }) },
    })
    onClose()
    if (leadsTo !== null) await navigate(leadsTo)
    await refresh()
  }
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      canConfirm={isUnderstood}
      isBusy={remove.isPending}
      error={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p className={styles.fine}>
        Its database, dataflows, integrations and worksheets go with it. Access ends and dataflows stop at once; for 7
        days an owner or admin can still restore it.
      </p>
      <Checkbox
        label="I understand this action will result in permanent loss of data."
        checked={isUnderstood}
        onChange={(event) => setUnderstood(event.target.checked)}
      />
    </ConfirmDialog>
  )
}
