import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { Boxes, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { IntroBanner } from '../../app/intro/IntroBanner.tsx'
import { consumeSignedUp } from '../../app/session/handover.ts'
import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { searchRows } from '../../ui/data/table-view.ts'
import { useUrlTableState, type TableState } from '../../ui/data/use-table-state.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Page, PageHeader, Stack } from '../../ui/layout/Page.tsx'
import { useAccounts } from '../accounts/accounts.queries.ts'
import { isOpen, useOwnInvites } from '../members/invites.queries.ts'
import { fullName, useProfile } from '../profile/profile.queries.ts'
import { AccountCard, AccountCardSkeleton } from './AccountCard.tsx'
import { InviteBanner, PendingInvite } from './InviteNotices.tsx'
import { RecentlyDeleted } from './RecentlyDeleted.tsx'
import { listAccountsToAddTo } from './create/workspace-form.ts'

const SEARCH_FROM = 6

/** Lazy: most visits don't need its form. */
const NewWorkspaceDialog = lazy(async () => ({
  default: (await import('./create/NewWorkspaceDialog.tsx')).NewWorkspaceDialog,
}))

export function Component() {
  const accounts = useAccounts()
  const invites = useOwnInvites()
  const state = useUrlTableState()
  const [isCreating, setCreating] = useState(false)
  const open = (invites.data ?? []).filter(isOpen)
  const [first] = open
  const toAddTo = listAccountsToAddTo(accounts.data ?? [], new Date())
  const count = accounts.data?.reduce((sum, account) => sum + account.workspaces.length, 0) ?? 0
  if (accounts.data?.length === 0 && first) return <PendingInvite invite={first} />
  return (
    <Page>
      <PageHeader
        title="Workspaces"
        subtitle="Your accounts and the workspaces in them."
        actions={
          <>
            {count >= SEARCH_FROM && (
              <SearchField
                label="Search workspaces"
                value={state.query}
                onChange={(event) => state.setQuery(event.target.value)}
              />
            )}
            <ButtonLink to="/create-account" icon={<Plus aria-hidden />}>
              New account
            </ButtonLink>
            <Button
              variant={accounts.data?.length === 0 ? 'secondary' : 'primary'}
              icon={<Plus aria-hidden />}
              disabled={toAddTo.length === 0}
              onClick={() => setCreating(true)}
            >
              New workspace
            </Button>
          </>
        }
      />
      <Stack>
        <ActivatedBanner />
        {open.map((invite) => (
          <InviteBanner key={invite.id} invite={invite} />
        ))}
        {accounts.isPending ? (
          <AccountCardSkeleton />
        ) : accounts.isError ? (
          <ErrorPanel
            title="Your workspaces could not be loaded"
            detail={accounts.error.message}
            reference={accounts.error.requestId}
            isRetrying={accounts.isFetching}
            onRetry={() => void accounts.refetch()}
          />
        ) : (
          <AccountList accounts={accounts.data} state={state} />
        )}
        <RecentlyDeleted />
        <IntroBanner storageKey="workspaces" />
      </Stack>
      {isCreating && (
        <Suspense>
          <NewWorkspaceDialog accounts={toAddTo} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  )
}

function AccountList({ accounts, state }: { accounts: readonly Account[]; state: TableState }) {
  if (accounts.length === 0) {
    return (
      <EmptyState
        icon={<Boxes />}
        title="No accounts"
        subtitle="An account holds your workspaces and the people in them. Create one, or ask somebody to invite you."
        action={
          <ButtonLink variant="primary" to="/create-account" icon={<Plus aria-hidden />}>
            Create account
          </ButtonLink>
        }
      />
    )
  }
  const matchingAccount = accounts
    .map((account) => ({
      ...account,
      workspaces: [
        ...searchRows(
          account.workspaces,
          (item) => `${item.name} ${item.workspace_address} ${account.name}`,
          state.query,
        ),
      ],
    }))
    .filter((account) => state.query === '' || account.workspaces.length > 0)
  if (matchingAccount.length === 0) {
    return <EmptyState icon={<Boxes />} title="Nothing found" subtitle={`No workspace matches “${state.query}”.`} />
  }
  return matchingAccount.map((account) => <AccountCard key={account.trellis_code} account={account} state={state} />)
}

function ActivatedBanner() {
  const profile = useProfile()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (consumeSignedUp()) setShown(true)
  }, [])
  return isShown ? (
    <Banner tone="success" title="Your profile is activated" onDismiss={() => setShown(false)}>
      Welcome to Trellis, {fullName(profile)}.
    </Banner>
  ) : null
}
