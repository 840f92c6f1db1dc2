import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { Face } from '../../ui/data/Avatar.tsx'
import { DataTable, type Column } from '../../ui/data/DataTable.tsx'
import type { TableState } from '../../ui/data/use-table-state.ts'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Badge, StatusDot } from '../../ui/feedback/Status.tsx'
import { Card } from '../../ui/layout/Card.tsx'
import { planNotice } from './plan-notice.ts'
import { planName, ROLE_NAMES } from './role-names.ts'
import styles from './workspaces.module.css'

type Workspace = Account['workspaces'][number]

function columnsOf(isOnline: boolean): Column<Workspace>[] {
  return [
    {
      key: 'name',
      title: 'Workspace',
      sortBy: (row) => row.name,
      cell: (row) => <span className={styles.name}>{row.name}</span>,
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
      width: 140,
      cell: () => <StatusDot tone={isOnline ? 'success' : 'neutral'}>{isOnline ? 'Online' : 'Unavailable'}</StatusDot>,
    },
  ]
}

export function AccountCard({ account, state }: { account: Account; state: TableState }) {
  const notice = planNotice(account, new Date())
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
        notice ? (
          <StatusDot tone={notice.isExpired ? 'danger' : 'warning'}>{notice.text}</StatusDot>
        ) : (
          <span className={styles.role}>{ROLE_NAMES[account.role]}</span>
        )
      }
    >
      {account.workspaces.length === 0 ? (
        <p className={styles.none}>No workspaces in this account that you may enter.</p>
      ) : (
        <DataTable
          isInCard
          label={`Workspaces of ${account.name}`}
          rows={account.workspaces}
          columns={columnsOf(notice?.isExpired !== true)}
          rowKey={(row) => row.trellis_code}
          state={state}
        />
      )}
    </Card>
  )
}

/** The same geometry as a card with three workspaces. */
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
