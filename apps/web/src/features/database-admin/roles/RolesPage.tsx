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
      actions={(scope) => scope.canWrite && <NewButton scope={scope} />}
    >
      {(scope) => <Roles scope={scope} />}
    </AdminFrame>
  )
}

const NewButton = ({ scope }: { scope: AdminScope }) => (
  <ButtonLink variant="primary" icon={<Plus aria-hidden />} to={scope.path('roles', 'new')}>
    New role
  </ButtonLink>
)

function Roles({ scope }: { scope: AdminScope }) {
  const roles = useRoles(scope)
  return (
    <Loaded query={roles} subject="The roles">
      {(data) =>
        data.length === 0 ? (
          <EmptyState
            icon={<KeySquare />}
            title="No roles yet"
            subtitle="A role is built from templates such as reader or loader, schema by schema. It also applies to tables created later."
          />
        ) : (
          <RolesTable scope={scope} roles={data} />
        )
      }
    </Loaded>
  )
}

function RolesTable({ scope, roles }: { scope: AdminScope; roles: readonly DatabaseRole[] }) {
  const state = useUrlTableState()
  const navigate = useNavigate()
  const { data: templates } = useTemplates(scope)
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
      onOpen={(role) => void navigate(scope.path('roles', role.role_trellis_code))}
    />
  )
}
