import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { useCurrentWorkspace } from '../../accounts/accounts.queries.ts'
import { planNotice } from '../plan-notice.ts'
import { planName, ROLE_NAMES } from '../role-names.ts'
import { useWorkspace } from '../workspaces.queries.ts'
import styles from './dashboard.module.css'
import { WorkspacePeople } from './WorkspacePeople.tsx'

export default function WorkspaceFacts() {
  const { workspace } = useCurrentWorkspace()
  return (
    <div className={styles.grid}>
      <WorkspacePeople accountCode={workspace.account_trellis_code} address={workspace.workspace_address} />
      <WorkspaceFigures />
    </div>
  )
}

const STATES = {
  provisioning: { tone: 'info', text: 'Being set up' },
  online: { tone: 'success', text: 'Online' },
  failed: { tone: 'danger', text: 'Could not be set up' },
} as const

function WorkspaceFigures() {
  const { account, workspace, params, home } = useCurrentWorkspace()
  const workspaceQuery = useWorkspace(params)
  const notice = planNotice(account, new Date())
  const url = `${location.origin}${home}`
  if (workspaceQuery.isError) {
    return (
      <ErrorPanel
        title="The workspace could not be loaded"
        detail={workspaceQuery.error.message}
        reference={workspaceQuery.error.requestId}
        isRetrying={workspaceQuery.isFetching}
        onRetry={() => void workspaceQuery.refetch()}
      />
    )
  }
  const state = workspaceQuery.data && STATES[workspaceQuery.data.state]
  return (
    <Card title="This workspace">
      <dl className={styles.facts}>
        <dt>Status</dt>
        <dd>{state ? <StatusDot tone={state.tone}>{state.text}</StatusDot> : <Waiting />}</dd>
        <dt>Address</dt>
        <dd className={styles.address}>
          <code>{params.workspace_address}</code>
          <CopyButton text={url} what="Copy the address" />
        </dd>
        <dt>Created</dt>
        <dd>
          {workspaceQuery.data ? <DateTime value={workspaceQuery.data.created_at} format="relative" /> : <Waiting />}
        </dd>
        <dt>Your role</dt>
        <dd>{ROLE_NAMES[workspace.role]}</dd>
        <dt>Plan</dt>
        <dd>
          {notice ? (
            <StatusDot tone="warning">{notice.text}</StatusDot>
          ) : (
            <StatusDot tone="success">{planName(account.account_type)}, active</StatusDot>
          )}
        </dd>
      </dl>
    </Card>
  )
}

function Waiting() {
  return (
    <Loading label="Loading">
      <Skeleton width={90} />
    </Loading>
  )
}
