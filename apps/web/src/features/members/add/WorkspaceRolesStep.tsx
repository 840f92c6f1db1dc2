import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { roleLabel, ROLES } from '../role-labels.ts'
import styles from './add.module.css'
import { sameRole, withRole, withSameRole, type WizardValues } from './wizard.ts'

interface Props {
  workspaces: Account['workspaces']
  roles: readonly { id: number; name: string }[]
  value: WizardValues['roles']
  onChange: (roles: WizardValues['roles']) => void
}

const NONE = 'none'
const DIFFER = 'differ'

export function WorkspaceRolesStep({ workspaces, roles, value, onChange }: Props) {
  const codes = workspaces.map((one) => one.trellis_code)
  const all = sameRole(codes, value)
  if (workspaces.length === 0) {
    return <p className={styles.none}>This account has no workspaces yet, so there is nothing to give access to.</p>
  }
  return (
    <div className={styles.step}>
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
          {workspaces.map((one) => (
            <tr key={one.trellis_code}>
              <th scope="row">{one.name}</th>
              <td>
                <RoleSelect
                  label={`Role in ${one.name}`}
                  roles={roles}
                  value={value[one.trellis_code] ?? null}
                  onChange={(role) => onChange(withRole(value, one.trellis_code, role))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <dl className={styles.hints}>
        {(['workspace_viewer', 'workspace_editor', 'workspace_admin'] as const).map((name) => (
          <div key={name}>
            <dt>{ROLES[name].label}</dt>
            <dd>{ROLES[name].hint}</dd>
          </div>
        ))}
        <div>
          <dt>No access</dt>
          <dd>Not added to the workspace.</dd>
        </div>
      </dl>
      <fieldset className={styles.database} disabled>
        <legend>Database permissions</legend>
        <Checkbox label="Read tables" />
        <Checkbox label="Write tables" />
        <Checkbox label="Manage schemas" />
        <p>They follow the workspace role for now and can not be set on their own yet.</p>
      </fieldset>
    </div>
  )
}

function RoleSelect({
  label,
  roles,
  value,
  onChange,
}: {
  label: string
  roles: Props['roles']
  value: number | null | typeof DIFFER
  onChange: (role: number | null) => void
}) {
  return (
    <select
      aria-label={label}
      className={styles.select}
      value={value ?? NONE}
      onChange={(event) => onChange(event.target.value === NONE ? null : Number(event.target.value))}
    >
      {value === DIFFER && (
        <option value={DIFFER} disabled>
          Different roles
        </option>
      )}
      <option value={NONE}>No access</option>
      {roles.map((role) => (
        <option key={role.id} value={role.id}>
          {roleLabel(roles, role.id)}
        </option>
      ))}
    </select>
  )
}
