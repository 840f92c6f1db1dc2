import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { CompactSelect } from '../../ui/forms/CompactSelect.tsx'
import styles from './add/add.module.css'
import { findCommonRole, withRole, withSameRole, type WizardValues } from './add/wizard.ts'
import { getRoleLabel } from './role-labels.ts'

export interface WorkspaceRolesProps {
  workspaces: Account['workspaces']
  roles: readonly { id: number; name: string }[]
  value: WizardValues['roles']
  onChange: (roles: WizardValues['roles']) => void
}

const NONE = 'none'
const DIFFER = 'differ'

export function WorkspaceRolesTable({ workspaces, roles, value, onChange }: WorkspaceRolesProps) {
  const codes = workspaces.map((workspace) => workspace.trellis_code)
  const all = findCommonRole(codes, value)
  return (
    <table className={styles.roles}>
      <thead>
        <tr>
          <th scope="col">Workspace</th>
          <th scope="col">Role</th>
        </tr>
      </thead>
      <tbody>
        <tr className={styles.all}>
          <th scope="row">All workspaces</th>
          <td>
            <RoleSelect
              label="Role in all workspaces"
              roles={roles}
              value={all === undefined ? DIFFER : all}
              onChange={(role) => onChange(withSameRole(codes, role))}
            />
          </td>
        </tr>
        {workspaces.map((workspace) => (
          <tr key={workspace.trellis_code}>
            <th scope="row">{workspace.name}</th>
            <td>
              <RoleSelect
                label={`Role in ${workspace.name}`}
                roles={roles}
                value={value[workspace.trellis_code] ?? null}
                onChange={(role) => onChange(withRole(value, workspace.trellis_code, role))}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RoleSelect({
  label,
  roles,
  value,
  onChange,
}: {
  label: string
  roles: WorkspaceRolesProps['roles']
  value: number | null | typeof DIFFER
  onChange: (role: number | null) => void
}) {
  return (
    <CompactSelect
      label={label}
      value={String(value ?? NONE)}
      onChange={(role) => onChange(role === NONE ? null : Number(role))}
      options={[
        ...(value === DIFFER ? [{ value: DIFFER, label: 'Different roles', isDisabled: true }] : []),
        { value: NONE, label: 'No access' },
        ...roles.map((role) => ({ value: String(role.id), label: getRoleLabel(roles, role.id) })),
      ]}
    />
  )
}
