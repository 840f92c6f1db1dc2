import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { Settings, Trash2 } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { PlanSelectState } from '../../app/plan-select-state.ts'
import { DeleteWorkspaceDialog } from '../../app/workspace-dialogs.ts'
import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { Face } from '../../ui/data/Avatar.tsx'
import { DataTable, type Column } from '../../ui/data/DataTable.tsx'
import { RowActions } from '../../ui/data/RowActions.tsx'
import type { TableState } from '../../ui/data/use-table-state.ts'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Badge, StatusDot } from '../../ui/feedback/Status.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { canIn } from '../accounts/accounts.queries.ts'
import { planNotice } from './plan-notice.ts'
import { planName, ROLE_NAMES } from './role-names.ts'
import styles from './workspaces.module.css'
import { useRenewalLink } from './workspaces.queries.ts'

type Workspace = Account['workspaces'][number]

const toPath = (row: Workspace, page: string) => `/${row.account_trellis_code}/${row.workspace_address}/${page}`

function buildColumns({ account, isOnline, onDelete }: Rows): Column<Workspace>[] {
  const buildMenu = (row: Workspace) => [
    [{ label: 'Settings', icon: <Settings aria-hidden />, to: toPath(row, 'settings') }],
    canIn(account, 'workspaces:delete')
      ? [{ label: 'Delete', icon: <Trash2 aria-hidden />, isDanger: true, onSelect: () => onDelete(row) }]
      : [],
  ]
  return [
    {
      key: 'name',
      title: 'Workspace',
      sortBy: (row) => row.name,
      cell: (row) =>
        isOnline ? (
          <Link to={toPath(row, 'dashboard')} className={styles.nameLink} onClick={(event) => event.stopPropagation()}>
            {row.name}
          </Link>
        ) : (
          <span className={styles.name}>{row.name}</span>
        ),
    },
    {
      key: 'address',
      title: 'Address',
      sortBy: (row) => row.workspace_address,
      isSecondary: true,
      cell: (row) => <code>{row.workspace_address}</code>,
    },
    {
      key: 'role',
      title: 'Your role',
      sortBy: (row) => row.role,
      width: 140,
      isSecondary: true,
      cell: (row) => ROLE_NAMES[row.role],
    },
    {
      key: 'status',
      title: 'Status',
      width: 128,
      cell: () => <StatusDot tone={isOnline ? 'success' : 'neutral'}>{isOnline ? 'Online' : 'Unavailable'}</StatusDot>,
    },
    {
      key: 'actions',
      title: '',
      width: 56,
      cell: (row) =>
        isOnline && (
          <RowActions label={`Actions for ${row.name}`} groups={buildMenu(row).filter((group) => group.length > 0)} />
        ),
    },
  ]
}

interface Rows {
  account: Account
  isOnline: boolean
  onDelete: (row: Workspace) => void
}

export function AccountCard({ account, state }: { account: Account; state: TableState }) {
  const notice = planNotice(account, new Date())
  const isOnline = notice?.isExpired !== true
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<Workspace | null>(null)
  const columns = useMemo(() => buildColumns({ account, isOnline, onDelete: setDeleting }), [account, isOnline])
  return (
    <Card
      isFlush
      title={
        <span className={styles.account}>
          <Face name={account.name} isSquare />
          {account.name}
          <Badge>{planName(account.account_type)}</Badge>
        </span>
      }
      actions={
        <span className={styles.accountEnd}>
          {notice ? (
            <>
              <StatusDot tone={notice.isExpired ? 'danger' : 'warning'}>{notice.text}</StatusDot>
              {canIn(account, 'billing:write') && <RenewButton account={account} isExpired={notice.isExpired} />}
              {notice.isExpired && (
                <ButtonLink
                  size="sm"
                  to="/deactivated-account"
                  state={{ account: account.trellis_code }}
                  aria-label={`View data of ${account.name}`}
                >
                  View data
                </ButtonLink>
              )}
            </>
          ) : (
            <span className={styles.role}>{ROLE_NAMES[account.role]}</span>
          )}
          {isOnline && (
            <ButtonLink
              size="sm"
              to={`/${account.trellis_code}/settings`}
              icon={<Settings aria-hidden />}
              aria-label={`Settings of ${account.name}`}
            >
              Settings
            </ButtonLink>
          )}
        </span>
      }
    >
      {account.workspaces.length === 0 ? (
        <NoWorkspaces account={account} isOnline={isOnline} />
      ) : (
        <DataTable
          isInCard
          label={`Workspaces of ${account.name}`}
          rows={account.workspaces}
          columns={columns}
          rowKey={(row) => row.trellis_code}
          state={state}
          {...(isOnline && { onOpen: (row: Workspace) => void navigate(toPath(row, 'dashboard')) })}
        />
      )}
      <Suspense>
        {deleting && <DeleteWorkspaceDialog workspace={deleting} onClose={() => setDeleting(null)} />}
      </Suspense>
    </Card>
  )
}

function NoWorkspaces({ account, isOnline }: { account: Account; isOnline: boolean }) {
  const canCreate = isOnline && canIn(account, 'workspaces:create')
  return (
    <p className={styles.none}>
      {canCreate ? (
        <>
          No workspaces in this account yet.{' '}
          <Link to={`/${account.trellis_code}/create-workspace`}>Create the first one</Link>.
        </>
      ) : (
        'No workspaces in this account that you may enter.'
      )}
    </p>
  )
}

/** Before the end a plan is renewed at the provider, afterwards bought again. */
function RenewButton({ account, isExpired }: { account: Account; isExpired: boolean }) {
  const navigate = useNavigate()
  const link = useRenewalLink()
  const state: PlanSelectState = { account: { trellis_code: account.trellis_code, name: account.name } }
  const renew = () => {
    if (isExpired) void navigate('/plan-select', { state })
    else
      link.mutate({
        params: { account_trellis_code: account.trellis_code },
        query: { return_url: location.href },
      })
  }
  return (
    <Button size="sm" isBusy={link.isPending || link.isSuccess} onClick={renew}>
      Renew plan
    </Button>
  )
}

/** Same size as a card with three workspaces. */
export function AccountCardSkeleton() {
  return (
    <Loading label="Loading your workspaces">
      <div className={styles.ghost}>
        <div className={styles.ghostHead}>
          <Skeleton width={28} height={28} />
          <Skeleton width={160} />
        </div>
        {['60%', '44%', '52%'].map((width) => (
          <div key={width} className={styles.ghostRow}>
            <Skeleton width={width} />
            <Skeleton width="50%" />
            <Skeleton width={72} />
          </div>
        ))}
      </div>
    </Loading>
  )
}
