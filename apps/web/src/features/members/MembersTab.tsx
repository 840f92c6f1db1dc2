import { UserPlus } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { Avatar } from '../../ui/data/Avatar.tsx'
import { DataTable, type Column } from '../../ui/data/DataTable.tsx'
import { RowActions } from '../../ui/data/RowActions.tsx'
import { useLocalTableState } from '../../ui/data/use-table-state.ts'
import { ErrorPanel } from '../../ui/feedback/ErrorPanel.tsx'
import { Loading, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { StatusDot, type Tone } from '../../ui/feedback/Status.tsx'
import { canIn, useCurrentAccount } from '../accounts/accounts.queries.ts'
import { useProfile } from '../profile/profile.queries.ts'
import { canChangeMember, memberRows, toSeats, type MemberRow, type MemberStatus } from './member-rows.ts'
import { useInvited, useMembers, useResendInvite, useRoles, useSeats } from './members.queries.ts'
import styles from './members.module.css'
import { RemoveMemberDialog } from './RemoveMemberDialog.tsx'
import { getRoleLabel } from './role-labels.ts'

const AddMembersDialog = lazy(async () => ({
  default: (await import('./add/AddMembersDialog.tsx')).AddMembersDialog,
}))

const ChangeRoleDialog = lazy(async () => ({ default: (await import('./ChangeRoleDialog.tsx')).ChangeRoleDialog }))

const STATUS: Record<MemberStatus, { text: string; tone: Tone }> = {
  owner: { text: 'Owner', tone: 'accent' },
  active: { text: 'Active', tone: 'success' },
  pending: { text: 'Pending', tone: 'warning' },
  cancelled: { text: 'Cancelled', tone: 'neutral' },
  declined: { text: 'Declined', tone: 'danger' },
}

export function MembersTab({ accountCode }: { accountCode: string }) {
  const account = useCurrentAccount()
  const canManage = canIn(account, 'members:write')
  const members = useMembers(accountCode)
  const invited = useInvited(accountCode, canManage)
  const roles = useRoles()
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<MemberRow | null>(null)
  const [changing, setChanging] = useState<MemberRow | null>(null)
  const failed = members.isError ? members : invited.isError ? invited : roles.account.isError ? roles.account : null
  if (failed) {
    return (
      <ErrorPanel
        title="Oops! Something went wrong"
        detail={failed.error.message}
        reference={failed.error.requestId}
        isRetrying={failed.isFetching}
        onRetry={() => void failed.refetch()}
      />
    )
  }
  return (
    <>
      {!members.data || !roles.account.data || (canManage && !invited.data) ? (
        <MembersSkeleton />
      ) : (
        <MembersTable
          accountCode={accountCode}
          rows={memberRows(members.data, invited.data ?? [])}
          roles={roles.account.data}
          onAdd={canManage ? () => setAdding(true) : undefined}
          onRemove={setRemoving}
          onChangeRole={setChanging}
        />
      )}
      {isAdding && (
        <Suspense>
          <AddMembersDialog account={account} onClose={() => setAdding(false)} />
        </Suspense>
      )}
      {changing && (
        <Suspense>
          <ChangeRoleDialog account={account} row={changing} onClose={() => setChanging(null)} />
        </Suspense>
      )}
      {removing && <RemoveMemberDialog account={account} row={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

interface TableProps {
  accountCode: string
  rows: readonly MemberRow[]
  roles: readonly { id: number; name: string }[]
  onAdd: (() => void) | undefined
  onRemove: (row: MemberRow) => void
  onChangeRole: (row: MemberRow) => void
}

function MembersTable({ accountCode, rows, roles, onAdd, onRemove, onChangeRole }: TableProps) {
  const state = useLocalTableState()
  const account = useCurrentAccount()
  const { id: profileId } = useProfile()
  const { mutate: resend } = useResendInvite()
  const canManage = onAdd !== undefined
  const columns = useMemo<Column<MemberRow>[]>(() => {
    const adminRoleId = roles.find((role) => role.name === 'account_admin')?.id ?? -1
    const canChange = (row: MemberRow) => canChangeMember(row, { role: account.role, profileId, adminRoleId })
    const buildMenu = (row: MemberRow) => [
      row.inviteId === undefined
        ? [
            { label: 'Manage', isDisabled: true },
            {
              label: 'Change role',
              onSelect: () => onChangeRole(row),
              ...(!canChange(row) && { isDisabled: true, note: 'Only the owner can change the role of an admin' }),
            },
          ]
        : row.status === 'declined'
          ? []
          : [
              {
                label: 'Resend invite',
                onSelect: () =>
                  resend({ params: { account_trellis_code: accountCode, account_invite_id: row.inviteId ?? 0 } }),
              },
            ],
      [
        {
          label: 'Remove',
          isDanger: true,
          onSelect: () => onRemove(row),
          ...(!canChange(row) && {
            isDisabled: true,
            note: 'Only the owner can remove an admin',
          }),
        },
      ],
    ]
    return [
      {
        key: 'name',
        title: 'Member',
        sortBy: (row) => row.name || row.email,
        cell: (row) => (row.name === '' ? <Avatar name={row.email} /> : <Avatar name={row.name} email={row.email} />),
      },
      {
        key: 'role',
        title: 'Access level',
        sortBy: (row) => getRoleLabel(roles, row.roleId),
        width: 160,
        isSecondary: true,
        cell: (row) => getRoleLabel(roles, row.roleId),
      },
      {
        key: 'status',
        title: 'Status',
        sortBy: (row) => row.status,
        width: 128,
        cell: (row) => <StatusDot tone={STATUS[row.status].tone}>{STATUS[row.status].text}</StatusDot>,
      },
      ...(canManage
        ? [
            {
              key: 'actions',
              title: '',
              width: 56,
              cell: (row: MemberRow) =>
                row.status === 'owner' ? null : (
                  <RowActions
                    label={`Actions for ${row.name || row.email}`}
                    groups={buildMenu(row).filter((group) => group.length > 0)}
                  />
                ),
            },
          ]
        : []),
    ]
  }, [roles, canManage, resend, accountCode, onRemove, onChangeRole, account.role, profileId])
  return (
    <DataTable
      label="Members"
      rows={rows}
      columns={columns}
      rowKey={(row) => row.key}
      searchText={(row) => `${row.name} ${row.email}`}
      state={state}
      toolbar={onAdd && <AddButton accountCode={accountCode} onAdd={onAdd} />}
    />
  )
}

/** Disabled while the seat limit is unknown. */
function AddButton({ accountCode, onAdd }: { accountCode: string; onAdd: () => void }) {
  const usage = useSeats(accountCode)
  const seats = usage.data && toSeats(usage.data)
  return (
    <span className={styles.add}>
      {seats?.text && (
        <span className={styles.seats} title="Members and open invites, of the seats of the plan">
          {seats.text}
        </span>
      )}
      {seats?.isFull && <StatusDot tone="warning">Users limit reached</StatusDot>}
      {usage.isError && <StatusDot tone="danger">The seats in use could not be loaded</StatusDot>}
      <Button variant="primary" icon={<UserPlus aria-hidden />} disabled={!seats || seats.isFull} onClick={onAdd}>
        Add members
      </Button>
    </span>
  )
}

function MembersSkeleton() {
  return (
    <Loading label="Loading the members" className={styles.ghosts}>
      <Skeleton width={300} height={32} />
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} height={40} />
      ))}
    </Loading>
  )
}
