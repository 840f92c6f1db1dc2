import type { DatabaseGroup } from '@trellis/contract/database-admin/database-admin.schemas'
import { Plus, Users } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { useUrlTableState } from '../../../ui/data/use-table-state.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { useGroups, useRoles } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { joinNames } from '../join-names.ts'

export function Component() {
  return (
    <AdminFrame
      title="Groups"
      subtitle="People and tools that get the same roles together."
      actions={(scope) => scope.canWrite && <NewButton scope={scope} />}
    >
      {(scope) => <Groups scope={scope} />}
    </AdminFrame>
  )
}

const NewButton = ({ scope }: { scope: AdminScope }) => (
  <ButtonLink variant="primary" icon={<Plus aria-hidden />} to={scope.path('groups', 'new')}>
    New group
  </ButtonLink>
)

function Groups({ scope }: { scope: AdminScope }) {
  const groups = useGroups(scope)
  return (
    <Loaded query={groups} subject="The groups">
      {(data) =>
        data.length === 0 ? (
          <EmptyState
            icon={<Users />}
            title="No groups yet"
            subtitle="Give a team its roles once. Members get them when they join and lose them when they leave."
          />
        ) : (
          <GroupsTable scope={scope} groups={data} />
        )
      }
    </Loaded>
  )
}

function GroupsTable({ scope, groups }: { scope: AdminScope; groups: readonly DatabaseGroup[] }) {
  const state = useUrlTableState()
  const navigate = useNavigate()
  const { data: roles } = useRoles(scope)
  const columns = useMemo<Column<DatabaseGroup>[]>(() => {
    const formatRoles = (group: DatabaseGroup) => joinNames(group.role_trellis_codes, roles ?? [], 'role_trellis_code')
    return [
      {
        key: 'name',
        title: 'Group',
        sortBy: (group) => group.name,
        cell: (group) => (
          <span className={styles.named}>
            {group.name}
            {group.description && <span className={styles.note}>{group.description}</span>}
          </span>
        ),
      },
      { key: 'roles', title: 'Roles', isSecondary: true, sortBy: formatRoles, cell: formatRoles },
      {
        key: 'members',
        title: 'Members',
        width: 96,
        isNumber: true,
        sortBy: (group) => group.profile_trellis_codes.length,
        cell: (group) => group.profile_trellis_codes.length,
      },
    ]
  }, [roles])
  return (
    <DataTable
      label="Groups"
      rows={groups}
      columns={columns}
      rowKey={(group) => group.group_trellis_code}
      searchText={(group) => `${group.name} ${group.description}`}
      state={state}
      onOpen={(group) => void navigate(scope.path('groups', group.group_trellis_code))}
    />
  )
}
