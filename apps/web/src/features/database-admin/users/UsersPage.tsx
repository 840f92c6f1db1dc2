import type { DatabaseProfile } from '@trellis/contract/database-admin/database-admin.schemas'
import { UserPlus, Users } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { Avatar } from '../../../ui/data/Avatar.tsx'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { useUrlTableState } from '../../../ui/data/use-table-state.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { useGroups, useProfiles, useRoles } from '../database-admin.queries.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { joinNames } from '../join-names.ts'

export function Component() {
  return (
    <AdminFrame
      title="Users"
      subtitle="Members of the workspace with access to this database."
      actions={(scope) => scope.canWrite && <NewButton scope={scope} />}
    >
      {(scope) => <UserList scope={scope} />}
    </AdminFrame>
  )
}

const NewButton = ({ scope }: { scope: AdminScope }) => (
  <ButtonLink variant="primary" icon={<UserPlus aria-hidden />} to={scope.path('users', 'new')}>
    Add user
  </ButtonLink>
)

function UserList({ scope }: { scope: AdminScope }) {
  const profiles = useProfiles(scope)
  return (
    <Loaded query={profiles} subject="The users">
      {(data) =>
        data.length === 0 ? (
          <EmptyState
            icon={<Users />}
            title="No users yet"
            subtitle="Members work in the database with the rights of their workspace role. Add one to give more, or access with outside tools."
          />
        ) : (
          <UsersTable scope={scope} profiles={data} />
        )
      }
    </Loaded>
  )
}

function UsersTable({ scope, profiles }: { scope: AdminScope; profiles: readonly DatabaseProfile[] }) {
  const state = useUrlTableState()
  const navigate = useNavigate()
  const { data: roles } = useRoles(scope)
  const { data: groups } = useGroups(scope)
  const columns = useMemo<Column<DatabaseProfile>[]>(() => {
    const formatRights = (databaseProfile: DatabaseProfile) =>
      [
        joinNames(databaseProfile.role_trellis_codes, roles ?? [], 'role_trellis_code'),
        joinNames(databaseProfile.group_trellis_codes, groups ?? [], 'group_trellis_code'),
      ]
        .filter(Boolean)
        .join(', ')
    return [
      {
        key: 'name',
        title: 'User',
        sortBy: (row) => row.name,
        cell: (row) => <Avatar name={row.name} email={row.email} />,
      },
      { key: 'rights', title: 'Roles and groups', isSecondary: true, sortBy: formatRights, cell: formatRights },
      {
        key: 'access',
        title: 'Outside tools',
        width: 140,
        sortBy: (row) => Number(row.has_external_access),
        cell: (row) =>
          row.has_external_access ? <StatusDot tone="success">Allowed</StatusDot> : <StatusDot>Not allowed</StatusDot>,
      },
    ]
  }, [roles, groups])
  return (
    <DataTable
      label="Users"
      rows={profiles}
      columns={columns}
      rowKey={(row) => row.profile_trellis_code}
      searchText={(row) => `${row.name} ${row.email}`}
      state={state}
      onOpen={(row) => void navigate(scope.path('users', row.profile_trellis_code))}
    />
  )
}
