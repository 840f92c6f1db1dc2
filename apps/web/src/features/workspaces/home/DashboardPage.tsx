import { BookOpenText, Database, KeyRound, Settings, UserPlus, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { IntroBanner } from '../../../app/intro/IntroBanner.tsx'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { Page, PageHeader, Stack } from '../../../ui/layout/Page.tsx'
import { canIn, useCurrentWorkspace } from '../../accounts/accounts.queries.ts'
import { fullName, useProfile } from '../../profile/profile.queries.ts'
import styles from './dashboard.module.css'
import { forgetFirstVisit, isFirstVisit } from './first-visit.ts'
import { planNotice } from '../plan-notice.ts'
import { planName, ROLE_NAMES } from '../role-names.ts'
import { useWorkspace } from '../workspaces.queries.ts'
import { WorkspacePeople } from './WorkspacePeople.tsx'

/** The home of a workspace: where it stands, who is in it, and where to go from here. */
export function Component() {
  const { account, workspace } = useCurrentWorkspace()
  const code = account.trellis_code
  const canInvite = canIn(account, 'members:write')
  return (
    <Page>
      <PageHeader title={workspace.name} subtitle={`${account.name} · ${planName(account.account_type)} plan`} />
      <Stack>
        <FirstVisit accountCode={code} name={workspace.name} />
        <div className={styles.grid}>
          <Facts />
          <Card isFlush title="Quick links">
            <ul className={styles.links}>
              <QuickLink to={`/${code}/${workspace.workspace_address}/explorer`} icon={<Database aria-hidden />}>
                Tables of this workspace
              </QuickLink>
              <QuickLink to={`/${code}/${workspace.workspace_address}/settings`} icon={<Settings aria-hidden />}>
                Workspace settings
              </QuickLink>
              <QuickLink
                to={`/${code}/settings?tab=members`}
                icon={canInvite ? <UserPlus aria-hidden /> : <Users aria-hidden />}
              >
                {canInvite ? 'Invite and manage members' : 'Members of the account'}
              </QuickLink>
              <QuickLink to="/profile/tokens" icon={<KeyRound aria-hidden />}>
                Personal access tokens
              </QuickLink>
              <QuickLink to="/docs" icon={<BookOpenText aria-hidden />}>
                API reference
              </QuickLink>
            </ul>
          </Card>
        </div>
        <WorkspacePeople accountCode={code} address={workspace.workspace_address} />
        <IntroBanner storageKey="dashboard" />
      </Stack>
    </Page>
  )
}

function FirstVisit({ accountCode, name }: { accountCode: string; name: string }) {
  const profile = useProfile()
  const [isShown, setShown] = useState(() => isFirstVisit(accountCode))
  if (!isShown) return null
  const dismiss = () => {
    forgetFirstVisit(accountCode)
    setShown(false)
  }
  return (
    <Banner tone="success" title={`${name} is yours, ${fullName(profile)}`} onDismiss={dismiss}>
      Its database is ready. Bring in a file under Explorer, invite the people you work with, or make a token for your
      own programs.
    </Banner>
  )
}

const STATES = {
  provisioning: { tone: 'info', text: 'Being set up' },
  online: { tone: 'success', text: 'Online' },
  failed: { tone: 'danger', text: 'Could not be set up' },
} as const

function Facts() {
  const { account, workspace } = useCurrentWorkspace()
  const { account_trellis_code, workspace_address } = workspace
  const found = useWorkspace({ account_trellis_code, workspace_address })
  const notice = planNotice(account, new Date())
  const url = `${location.origin}/${account_trellis_code}/${workspace_address}`
  if (found.isError) {
    return (
      <ErrorPanel
        title="The workspace could not be loaded"
        detail={found.error.message}
        reference={found.error.requestId}
        isRetrying={found.isFetching}
        onRetry={() => void found.refetch()}
      />
    )
  }
  const state = found.data && STATES[found.data.state]
  return (
    <Card title="This workspace">
      <dl className={styles.facts}>
        <dt>Status</dt>
        <dd>{state ? <StatusDot tone={state.tone}>{state.text}</StatusDot> : <Waiting />}</dd>
        <dt>Address</dt>
        <dd className={styles.address}>
          <code>{workspace_address}</code>
          <CopyButton text={url} what="Copy the address" />
        </dd>
        <dt>Created</dt>
        <dd>{found.data ? <DateTime value={found.data.created_at} format="relative" /> : <Waiting />}</dd>
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

function QuickLink({ to, icon, children }: { to: string; icon: ReactNode; children: ReactNode }) {
  return (
    <li>
      <Link to={to}>
        {icon}
        {children}
      </Link>
    </li>
  )
}
