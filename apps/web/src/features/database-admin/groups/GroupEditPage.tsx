import { DatabaseGroupCreate, type DatabaseGroup } from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import * as z from 'zod/mini'
import { ApiError } from '../../../api/api-error.ts'
import { Form, FormTextField, showServerError } from '../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { CodePicker } from '../CodePicker.tsx'
import {
  useCreateGroup,
  useDeleteGroup,
  useExternals,
  useGroup,
  useProfiles,
  useUpdateGroup,
} from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { EditorFoot } from '../EditorFoot.tsx'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { RolePicker } from '../RolePicker.tsx'
import { SqlPlan } from '../SqlPlan.tsx'

const GroupForm = z.object({
  name: DatabaseGroupCreate.shape.name,
  description: z.string().check(z.maxLength(500)),
  role_trellis_codes: z.array(z.string()),
  profile_trellis_codes: z.array(z.string()),
})
type Values = z.infer<typeof GroupForm>

export function Component() {
  const { groupId } = useParams()
  return (
    <AdminFrame hasTabs={false} title={groupId === undefined ? 'New group' : 'Group'}>
      {(scope) =>
        groupId === undefined ? <Fields scope={scope} group={null} /> : <LoadedGroup scope={scope} code={groupId} />
      }
    </AdminFrame>
  )
}

function LoadedGroup({ scope, code }: { scope: AdminScope; code: string }) {
  const group = useGroup(scope, code)
  return (
    <Loaded query={group} subject="The group">
      {(data) => <Fields key={data.group_trellis_code} scope={scope} group={data} />}
    </Loaded>
  )
}

const toInitialValues = (group: DatabaseGroup | null): Values => ({
  name: group?.name ?? '',
  description: group?.description ?? '',
  role_trellis_codes: group?.role_trellis_codes ?? [],
  profile_trellis_codes: group?.profile_trellis_codes ?? [],
})

function toPlan(values: Values, scope: AdminScope, code: string | undefined) {
  const parsed = GroupForm.safeParse(values)
  if (!parsed.success) return null
  const group = { integration_trellis_code: scope.database, ...parsed.data, ...(code && { group_trellis_code: code }) }
  return { kind: 'group' as const, group }
}

function Fields({ scope, group }: { scope: AdminScope; group: DatabaseGroup | null }) {
  const navigate = useNavigate()
  const create = useCreateGroup()
  const update = useUpdateGroup()
  const [isDeleting, setDeleting] = useState(false)
  const form = useSchemaForm<Values>(GroupForm, toInitialValues(group))
  const values = form.values
  const isLocked = !scope.canWrite
  const body = (submittedValues: Values) => ({ integration_trellis_code: scope.database, ...submittedValues })
  const put = (name: 'role_trellis_codes' | 'profile_trellis_codes') => (codes: string[]) => form.setValue(name, codes)
  const save = async (submittedValues: Values) => {
    try {
      if (group === null) await create.mutateAsync({ params: scope.address, body: body(submittedValues) })
      else {
        const { group_trellis_code } = group
        await update.mutateAsync({ params: scope.address, body: { ...body(submittedValues), group_trellis_code } })
      }
      void navigate(scope.path('groups'))
    } catch (error) {
      if (error instanceof ApiError) showServerError(form, error)
    }
  }
  return (
    <Form form={form} onSubmit={save} isDisabled={isLocked}>
      <Card>
        <div className={styles.stack}>
          <FormTextField name="name" label="Group name" autoComplete="off" />
          <FormTextField name="description" label="Description" isOptional autoComplete="off" />
        </div>
      </Card>
      <Card>
        <RolePicker scope={scope} value={values.role_trellis_codes} onChange={put('role_trellis_codes')} />
      </Card>
      <Card>
        <MemberPicker scope={scope} value={values.profile_trellis_codes} onChange={put('profile_trellis_codes')} />
      </Card>
      {!isLocked && <SqlPlan scope={scope} change={toPlan(values, scope, group?.group_trellis_code)} />}
      <EditorFoot
        back={scope.path('groups')}
        save={group === null ? 'Create group' : 'Save'}
        isLocked={isLocked}
        error={create.error ?? update.error}
        onDelete={group ? () => setDeleting(true) : undefined}
      />
      {group && isDeleting && <DeleteDialog scope={scope} group={group} onClose={() => setDeleting(false)} />}
    </Form>
  )
}

interface MemberPickerProps {
  scope: AdminScope
  value: readonly string[]
  onChange: (codes: string[]) => void
}

function MemberPicker({ scope, value, onChange }: MemberPickerProps) {
  const profiles = useProfiles(scope)
  const externals = useExternals(scope)
  return (
    <Loaded query={profiles} subject="The users">
      {(users) => (
        <CodePicker
          label="Members"
          none="Nobody has a place in this database yet."
          isDisabled={!scope.canWrite}
          value={value}
          onChange={onChange}
          options={[
            ...users.map((user) => ({ code: user.profile_trellis_code, label: user.name, note: user.email })),
            ...(externals.data ?? []).map((external) => ({
              code: external.profile_trellis_code,
              label: external.name,
              note: 'External profile',
            })),
          ]}
        />
      )}
    </Loaded>
  )
}

function DeleteDialog({ scope, group, onClose }: { scope: AdminScope; group: DatabaseGroup; onClose: () => void }) {
  const remove = useDeleteGroup()
  const navigate = useNavigate()
  const params = { ...scope.params, group_trellis_code: group.group_trellis_code }
  return (
    <ConfirmDialog
      title={`Delete the group ${group.name}?`}
      isBusy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ params }, { onSuccess: () => void navigate(scope.path('groups')) })}
      onClose={onClose}
    >
      Its members stay, but lose the rights they had through it.
    </ConfirmDialog>
  )
}
