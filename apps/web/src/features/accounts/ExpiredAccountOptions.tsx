import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { Suspense, useState } from 'react'
import { DeleteWorkspaceDialog } from '../../app/workspace-dialogs.ts'
import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { canIn } from './accounts.queries.ts'
import styles from './accounts.module.css'
import { DeleteAccountDialog } from './DeleteAccountDialog.tsx'
import { formatRetention } from './deletion-notice.ts'
import { LeaveAccountDialog } from './LeaveAccountDialog.tsx'

type Workspace = Account['workspaces'][number]

export function ExpiredAccountOptions({ account }: { account: Account }) {
  const canDelete = canIn(account, 'workspaces:delete')
  const canDeleteAccount = canIn(account, 'account:delete')
  const [workspaceToDelete, setWorkspaceToDelete] = useState<Workspace | null>(null)
  const [isEndDialogOpen, setEndDialogOpen] = useState(false)
  const EndDialog = canDeleteAccount ? DeleteAccountDialog : LeaveAccountDialog
  return (
    <div className={styles.ways}>
      <Card
        isFlush
        title="Your data is still here"
        subtitle={`Until the plan is reactivated you can read, export and delete it. Loads, schedules and changes wait. ${formatRetention(account, new Date())}`}
        footer={
          <Button onClick={() => setEndDialogOpen(true)}>
            {canDeleteAccount ? 'Delete account…' : 'Leave account…'}
          </Button>
        }
      >
        {account.workspaces.length === 0 ? (
          <p className={styles.noWorkspaces}>This account has no workspaces that you may enter.</p>
        ) : (
          <ul className={styles.workspaces} aria-label={`Workspaces of ${account.name}`}>
            {account.workspaces.map((workspace) => (
              <li key={workspace.trellis_code}>
                <span className={styles.workspaceName}>{workspace.name}</span>
                <ButtonLink
                  size="sm"
                  to={`/${account.trellis_code}/${workspace.workspace_address}/explorer/home`}
                  aria-label={`Read and export ${workspace.name}`}
                >
                  Read and export
                </ButtonLink>
                {canDelete && (
                  <Button
                    size="sm"
                    aria-label={`Delete ${workspace.name}`}
                    onClick={() => setWorkspaceToDelete(workspace)}
                  >
                    Delete…
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {workspaceToDelete && (
        <Suspense>
          <DeleteWorkspaceDialog
            workspace={workspaceToDelete}
            leadsTo={null}
            onClose={() => setWorkspaceToDelete(null)}
          />
        </Suspense>
      )}
      {isEndDialogOpen && <EndDialog account={account} onClose={() => setEndDialogOpen(false)} />}
    </div>
  )
}
