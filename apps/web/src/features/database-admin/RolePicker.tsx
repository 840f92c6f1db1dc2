import type { AdminScope } from './admin-scope.ts'
import { CodePicker } from './CodePicker.tsx'
import { useGroups, useRoles, useTemplates } from './database-admin.queries.ts'
import { Loaded } from '../../app/loading/Loaded.tsx'
import { formatGrants } from './roles/grants.ts'

interface PickerProps {
  scope: AdminScope
  value: readonly string[]
  onChange: (codes: string[]) => void
}

export function RolePicker({ scope, value, onChange }: PickerProps) {
  const roles = useRoles(scope)
  const { data: templates } = useTemplates(scope)
  return (
    <Loaded query={roles} subject="The roles">
      {(data) => (
        <CodePicker
          label="Roles"
          none="There is no role yet. Make one under Roles."
          isDisabled={!scope.canWrite}
          value={value}
          onChange={onChange}
          options={data.map((item) => ({
            code: item.role_trellis_code,
            label: item.name,
            note: item.description || formatGrants(item.grants, templates ?? []),
          }))}
        />
      )}
    </Loaded>
  )
}

export function GroupPicker({ scope, value, onChange }: PickerProps) {
  const groups = useGroups(scope)
  return (
    <Loaded query={groups} subject="The groups">
      {(data) => (
        <CodePicker
          label="Groups"
          none="No groups yet. Create one under Groups."
          isDisabled={!scope.canWrite}
          value={value}
          onChange={onChange}
          options={data.map((item) => ({
            code: item.group_trellis_code,
            label: item.name,
            ...(item.description && { note: item.description }),
          }))}
        />
      )}
    </Loaded>
  )
}
