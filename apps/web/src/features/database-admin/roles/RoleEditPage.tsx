import {
  DatabaseRoleCreate,
  Grant,
  type DatabaseRole,
  type RoleTemplate,
} from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import * as z from 'zod/mini'
import { ApiError } from '../../../api/api-error.ts'
import { formatCount } from '../../../ui/data/amounts.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Form, FormTextField, showServerError } from '../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import {
  useCreateRole,
  useDeleteRole,
  useRole,
  useSchemaNames,
  useTemplates,
  useUpdateRole,
} from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { EditorFoot } from '../EditorFoot.tsx'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { SqlPlan } from '../SqlPlan.tsx'
import { GrantMatrix } from './GrantMatrix.tsx'

const RoleForm = z.object({
  name: DatabaseRoleCreate.shape.name,
  description: z.string().check(z.maxLength(500)),
  grants: z.array(Grant).check(z.minLength(1, 'Choose at least one right')),
})
type Values = z.infer<typeof RoleForm>

export function Component() {
  const { roleId } = useParams()
  return (
    <AdminFrame
      hasTabs={false}
      title={roleId === undefined ? 'New role' : 'Role'}
      subtitle="Rights apply to existing tables and to those created later."
    >
      {(scope) =>
        roleId === undefined ? <Editor scope={scope} savedRole={null} /> : <LoadedRole scope={scope} code={roleId} />
      }
    </AdminFrame>
  )
}

function LoadedRole({ scope, code }: { scope: AdminScope; code: string }) {
  const role = useRole(scope, code)
  return (
    <Loaded query={role} subject="The role">
      {(data) => <Editor key={data.role_trellis_code} scope={scope} savedRole={data} />}
    </Loaded>
  )
}

function Editor({ scope, savedRole }: { scope: AdminScope; savedRole: DatabaseRole | null }) {
  const templates = useTemplates(scope)
  return (
    <Loaded query={templates} subject="The templates">
      {(data) => <RoleFields scope={scope} savedRole={savedRole} templates={data} />}
    </Loaded>
  )
}

interface FieldsProps {
  scope: AdminScope
  savedRole: DatabaseRole | null
  templates: readonly z.infer<typeof RoleTemplate>[]
}

const toInitialValues = (role: DatabaseRole | null): Values => ({
  name: role?.name ?? '',
  description: role?.description ?? '',
  grants: role?.grants ?? [],
})

function toPlan(values: Values, scope: AdminScope, code: string | undefined) {
  const parsed = RoleForm.safeParse(values)
  if (!parsed.success) return null
  const role = { integration_trellis_code: scope.database, ...parsed.data, ...(code && { role_trellis_code: code }) }
  return { kind: 'role' as const, role }
}

function RoleFields({ scope, savedRole: role, templates }: FieldsProps) {
  const navigate = useNavigate()
  const schemas = useSchemaNames(scope)
  const create = useCreateRole()
  const update = useUpdateRole()
  const [isDeleting, setDeleting] = useState(false)
  const form = useSchemaForm<Values>(RoleForm, toInitialValues(role))
  const isLocked = !scope.canWrite || role?.is_built_in === true
  const values = form.values
  const body = (submittedValues: Values) => ({ integration_trellis_code: scope.database, ...submittedValues })
  const save = async (submittedValues: Values) => {
    try {
      if (role === null) await create.mutateAsync({ params: scope.address, body: body(submittedValues) })
      else {
        const { role_trellis_code } = role
        await update.mutateAsync({ params: scope.address, body: { ...body(submittedValues), role_trellis_code } })
      }
      void navigate(scope.path('roles'))
    } catch (error) {
      if (error instanceof ApiError) showServerError(form, error)
    }
  }
  return (
    <Form form={form} onSubmit={save} isDisabled={isLocked}>
      {role?.is_built_in && <Banner tone="info">Built-in role: it can’t be changed.</Banner>}
      <Card>
        <div className={styles.stack}>
          <FormTextField name="name" label="Role name" autoComplete="off" />
          <FormTextField name="description" label="Description" isOptional autoComplete="off" />
        </div>
      </Card>
      <Card title="Rights" subtitle={role ? formatCount(role.member_count, 'member') : undefined}>
        <Loaded query={schemas} subject="The schemas">
          {(names) => (
            <GrantMatrix
              templates={templates}
              schemas={names}
              grants={values.grants}
              isDisabled={isLocked}
              onChange={(grants) => form.setValue('grants', grants)}
            />
          )}
        </Loaded>
      </Card>
      {!isLocked && <SqlPlan scope={scope} change={toPlan(values, scope, role?.role_trellis_code)} />}
      <EditorFoot
        back={scope.path('roles')}
        save={role === null ? 'Create role' : 'Save'}
        isLocked={isLocked}
        error={create.error ?? update.error}
        onDelete={role ? () => setDeleting(true) : undefined}
      />
      {role && isDeleting && <DeleteDialog scope={scope} savedRole={role} onClose={() => setDeleting(false)} />}
    </Form>
  )
}

function DeleteDialog({
  scope,
  savedRole: role,
  onClose,
}: {
  scope: AdminScope
  savedRole: DatabaseRole
  onClose: () => void
}) {
  const remove = useDeleteRole()
  const navigate = useNavigate()
  const params = { ...scope.params, role_trellis_code: role.role_trellis_code }
  return (
    <ConfirmDialog
      title={`Delete the role ${role.name}?`}
      isBusy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ params }, { onSuccess: () => void navigate(scope.path('roles')) })}
      onClose={onClose}
    >
      {role.member_count === 0
        ? 'Nobody has this role.'
        : `Everyone who has it (${role.member_count}) loses its rights at once. What they created stays.`}
    </ConfirmDialog>
  )
}
