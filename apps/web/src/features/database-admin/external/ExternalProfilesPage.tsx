import type { ExternalProfile } from '@trellis/contract/database-admin/database-admin.schemas'
import { PlugZap, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { useUrlTableState } from '../../../ui/data/use-table-state.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { useExternals, useRoles } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { getExpiryState } from '../expiry.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { joinNames } from '../join-names.ts'

export function Component() {
  return (
    <AdminFrame
      title="External profiles"
      subtitle="Logins for tools rather than people: BI, ETL, notebooks, services. Last connected updates within a minute."
      actions={(scope) => scope.canWrite && <NewButton scope={scope} />}
    >
      {(scope) => <Profiles scope={scope} />}
    </AdminFrame>
  )
}

const NewButton = ({ scope }: { scope: AdminScope }) => (
  <ButtonLink variant="primary" icon={<Plus aria-hidden />} to={scope.path('external-profiles', 'new')}>
    New external profile
  </ButtonLink>
)

function Profiles({ scope }: { scope: AdminScope }) {
  const externals = useExternals(scope)
  return (
    <Loaded query={externals} subject="The external profiles">
      {(data) =>
        data.length === 0 ? (
          <EmptyState
            icon={<PlugZap />}
            title="No external profiles yet"
            subtitle="Create a login for each tool, with just the rights it needs. Each can be rotated without downtime and revoked separately."
          />
        ) : (
          <ProfilesTable scope={scope} profiles={data} />
        )
      }
    </Loaded>
  )
}

function ExpiryStatus({ profile }: { profile: ExternalProfile }) {
  const expiryState = getExpiryState(profile.expires_at, new Date())
  if (expiryState === 'over') return <StatusDot tone="danger">Expired</StatusDot>
  if (expiryState === 'soon') return <StatusDot tone="warning">Expires soon</StatusDot>
  return <StatusDot tone="success">Active</StatusDot>
}

function ProfilesTable({ scope, profiles }: { scope: AdminScope; profiles: readonly ExternalProfile[] }) {
  const state = useUrlTableState()
  const navigate = useNavigate()
  const { data: roles } = useRoles(scope)
  const columns = useMemo<Column<ExternalProfile>[]>(
    () => [
      {
        key: 'name',
        title: 'Profile',
        sortBy: (row) => row.name,
        cell: (row) => (
          <span className={styles.named}>
            {row.name}
            <span className={styles.note}>{row.description || row.logins[0]?.user_name}</span>
          </span>
        ),
      },
      {
        key: 'roles',
        title: 'Roles',
        isSecondary: true,
        cell: (row) => joinNames(row.role_trellis_codes, roles ?? [], 'role_trellis_code'),
      },
      {
        key: 'standing',
        title: 'State',
        width: 130,
        sortBy: (row) => row.expires_at,
        cell: (row) => <ExpiryStatus profile={row} />,
      },
      {
        key: 'seen',
        title: 'Last connected',
        width: 140,
        isSecondary: true,
        sortBy: (row) => (row.last_seen_at === null ? null : new Date(row.last_seen_at)),
        cell: (row) => (row.last_seen_at === null ? 'never' : <DateTime value={row.last_seen_at} format="recent" />),
      },
    ],
    [roles],
  )
  return (
    <DataTable
      label="External profiles"
      rows={profiles}
      columns={columns}
      rowKey={(row) => row.profile_trellis_code}
      searchText={(row) => `${row.name} ${row.description} ${row.logins.map((login) => login.user_name).join(' ')}`}
      state={state}
      onOpen={(row) => void navigate(scope.path('external-profiles', row.profile_trellis_code))}
    />
  )
}
