import type { DatabaseRole } from '@trellis/contract/database-admin/database-admin.schemas'
import { KeySquare, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { DataTable, type Column } from '../../../ui/data/DataTable.tsx'
import { useUrlTableState } from '../../../ui/data/use-table-state.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { useRoles, useTemplates } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { formatGrants } from './grants.ts'

export function Component() {
  return (
    <AdminFrame
      title="Roles"
      subtitle="What can be done in which schema. Users, groups and external profiles hold roles."
      actions={(place) => place.canWrite && <NewButton place={place} />}
    >
      {(place) => <Roles place={place} />}
    </AdminFrame>
  )
}

const NewButton = ({ place }: { place: AdminScope }) => (
  <ButtonLink variant="primary" icon={<Plus aria-hidden />} to={place.path('roles', 'new')}>
    New role
  </ButtonLink>
)

function Roles({ place }: { place: AdminScope }) {
  const roles = useRoles(place)
  return (
    <Loaded query={roles} what="The roles">
      {(data) =>
        data.length === 0 ? (
          <EmptyState
            icon={<KeySquare />}
            title="No roles yet"
            subtitle="A role is built from templates such as reader or loader, schema by schema. It also applies to tables created later."
          />
        ) : (
          <RolesTable place={place} roles={data} />
        )
      }
    </Loaded>
  )
}

function RolesTable({ place, roles }: { place: AdminScope; roles: readonly DatabaseRole[] }) {
  const state = useUrlTableState()
  const navigate = useNavigate()
  const { data: templates } = useTemplates(place)
  const columns = useMemo<Column<DatabaseRole>[]>(
    () => [
      {
        key: 'name',
        title: 'Role',
        sortBy: (role) => role.name,
        cell: (role) => (
          <span className={styles.named}>
            <span>
              {role.name} {role.is_built_in && <Badge>Built in</Badge>}
            </span>
            {role.description && <span className={styles.note}>{role.description}</span>}
          </span>
        ),
      },
      {
        key: 'grants',
        title: 'Rights',
        isSecondary: true,
        cell: (role) => formatGrants(role.grants, templates ?? []),
      },
      {
        key: 'members',
        title: 'Members',
        width: 96,
        isNumber: true,
        sortBy: (role) => role.member_count,
        cell: (role) => role.member_count,
      },
    ],
    [templates],
  )
  return (
    <DataTable
      label="Roles"
      rows={roles}
      columns={columns}
      rowKey={(role) => role.role_trellis_code}
      searchText={(role) => `${role.name} ${role.description} ${formatGrants(role.grants, templates ?? [])}`}
      state={state}
      onOpen={(role) => void navigate(place.path('roles', role.role_trellis_code))}
    />
  )
}
