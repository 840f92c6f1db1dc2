import type { AdminScope } from './admin-scope.ts'
import { CodePicker } from './CodePicker.tsx'
import { useGroups, useRoles, useTemplates } from './database-admin.queries.ts'
import { Loaded } from '../../app/loading/Loaded.tsx'
import { formatGrants } from './roles/grants.ts'

interface PickerProps {
  place: AdminScope
  value: readonly string[]
  onChange: (codes: string[]) => void
}

export function RolePicker({ place, value, onChange }: PickerProps) {
  const roles = useRoles(place)
  const { data: templates } = useTemplates(place)
  return (
    <Loaded query={roles} what="The roles">
      {(data) => (
        <CodePicker
          label="Roles"
          none="There is no role yet. Make one under Roles."
          isDisabled={!place.canWrite}
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

export function GroupPicker({ place, value, onChange }: PickerProps) {
  const groups = useGroups(place)
  return (
    <Loaded query={groups} what="The groups">
      {(data) => (
        <CodePicker
          label="Groups"
          none="No groups yet. Create one under Groups."
          isDisabled={!place.canWrite}
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
