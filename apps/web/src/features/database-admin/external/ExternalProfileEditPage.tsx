import {
  ExternalProfileCreate,
  LoginName,
  type ExternalProfile,
  type Secret,
} from '@trellis/contract/database-admin/database-admin.schemas'
import { RefreshCw } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import * as z from 'zod/mini'
import { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Form, FormTextField, showServerError } from '../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { Card } from '../../../ui/layout/Card.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { useCreateExternal, useExternal, useUpdateExternal } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { EditorFoot } from '../EditorFoot.tsx'
import { ExpiryField } from '../ExpiryField.tsx'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { LoginList } from '../LoginList.tsx'
import { LoginNameField } from '../LoginNameField.tsx'
import { GroupPicker, RolePicker } from '../RolePicker.tsx'
import { SqlPlan } from '../SqlPlan.tsx'

const SecretDialog = lazy(async () => ({ default: (await import('../SecretDialog.tsx')).SecretDialog }))
const RevokeDialog = lazy(async () => ({ default: (await import('./RevokeDialog.tsx')).RevokeDialog }))
const RotateDialog = lazy(async () => ({ default: (await import('./RotateDialog.tsx')).RotateDialog }))

const ProfileForm = z.object({
  name: ExternalProfileCreate.shape.name,
  description: z.string().check(z.maxLength(500)),
  role_trellis_codes: z.array(z.string()),
  group_trellis_codes: z.array(z.string()),
  expires_at: z.nullable(z.string()),
  login_name: z.nullable(LoginName),
  connection_limit: z.string().check(z.regex(/^([1-9]|[1-4]\d|50)$/, 'Choose a number from 1 to 50')),
})
type Values = z.infer<typeof ProfileForm>

export function Component() {
  const { profileId } = useParams()
  return (
    <AdminFrame hasTabs={false} title={profileId === undefined ? 'New external profile' : 'External profile'}>
      {(scope) =>
        profileId === undefined ? (
          <Fields scope={scope} profile={null} />
        ) : (
          <LoadedProfile scope={scope} code={profileId} />
        )
      }
    </AdminFrame>
  )
}

function LoadedProfile({ scope, code }: { scope: AdminScope; code: string }) {
  const profile = useExternal(scope, code)
  return (
    <Loaded query={profile} subject="The external profile">
      {(data) => <Fields key={data.profile_trellis_code} scope={scope} profile={data} />}
    </Loaded>
  )
}

const toInitialValues = (profile: ExternalProfile | null): Values => ({
  name: profile?.name ?? '',
  description: profile?.description ?? '',
  role_trellis_codes: profile?.role_trellis_codes ?? [],
  group_trellis_codes: profile?.group_trellis_codes ?? [],
  expires_at: profile?.expires_at ?? null,
  connection_limit: String(profile?.connection_limit ?? 5),
  login_name: null,
})

const toBody = ({ login_name, ...values }: Values, scope: AdminScope) => ({
  integration_trellis_code: scope.database,
  ...values,
  ...(login_name !== null && { login_name }),
  connection_limit: Number(values.connection_limit),
})

function toPlan(values: Values, scope: AdminScope, code: string | undefined) {
  const parsed = ProfileForm.safeParse(values)
  if (!parsed.success) return null
  const profile = { ...toBody(parsed.data, scope), ...(code && { profile_trellis_code: code }) }
  return { kind: 'external_profile' as const, profile }
}

const toSummary = ({ name, role_trellis_codes, group_trellis_codes }: Values) => ({
  name: name.slice(0, 100),
  role_trellis_codes,
  group_trellis_codes,
})

function Fields({ scope, profile }: { scope: AdminScope; profile: ExternalProfile | null }) {
  const navigate = useNavigate()
  const create = useCreateExternal()
  const update = useUpdateExternal()
  const [secret, setSecret] = useState<z.infer<typeof Secret> | null>(null)
  const [isRevoking, setRevoking] = useState(false)
  const form = useSchemaForm<Values>(ProfileForm, toInitialValues(profile))
  const values = form.values
  const isLocked = !scope.canWrite
  const put =
    <Name extends 'role_trellis_codes' | 'group_trellis_codes' | 'expires_at' | 'login_name'>(name: Name) =>
    (value: Values[Name]) =>
      form.setValue(name, value)
  const back = scope.path('external-profiles')
  const save = async (submittedValues: Values) => {
    try {
      if (profile === null) {
        setSecret((await create.mutateAsync({ params: scope.address, body: toBody(submittedValues, scope) })).secret)
        return
      }
      const { profile_trellis_code } = profile
      await update.mutateAsync({
        params: scope.address,
        body: { ...toBody(submittedValues, scope), profile_trellis_code },
      })
      void navigate(back)
    } catch (error) {
      if (error instanceof ApiError) showServerError(form, error)
    }
  }
  return (
    <>
      <Form form={form} onSubmit={save} isDisabled={isLocked}>
        {profile && <LoginCard scope={scope} profile={profile} onSecret={setSecret} />}
        <Card>
          <div className={styles.stack}>
            <FormTextField name="name" label="Profile name" hint="The tool it is for." autoComplete="off" />
            <FormTextField name="description" label="Description" isOptional autoComplete="off" />
            <div className={styles.two}>
              <ExpiryField value={values.expires_at} onChange={put('expires_at')} isDisabled={isLocked} />
              <FormTextField name="connection_limit" label="Connections at once" type="number" min={1} max={50} />
            </div>
            {profile === null && (
              <LoginNameField
                scope={scope}
                value={values.login_name}
                onChange={put('login_name')}
                about={toSummary(values)}
                error={values.login_name === null ? undefined : form.getShownError('login_name')}
              />
            )}
          </div>
        </Card>
        <Card title="Rights">
          <div className={styles.two}>
            <RolePicker scope={scope} value={values.role_trellis_codes} onChange={put('role_trellis_codes')} />
            <GroupPicker scope={scope} value={values.group_trellis_codes} onChange={put('group_trellis_codes')} />
          </div>
        </Card>
        {!isLocked && <SqlPlan scope={scope} change={toPlan(values, scope, profile?.profile_trellis_code)} />}
        <EditorFoot
          back={back}
          save={profile === null ? 'Create login' : 'Save'}
          isLocked={isLocked}
          error={create.error ?? update.error}
          deleteLabel="Revoke…"
          onDelete={profile ? () => setRevoking(true) : undefined}
        />
      </Form>
      <Suspense>
        {secret && (
          <SecretDialog
            scope={scope}
            secret={secret}
            onDone={() => {
              setSecret(null)
              if (profile === null) void navigate(back)
            }}
          />
        )}
        {profile && isRevoking && <RevokeDialog scope={scope} profile={profile} onClose={() => setRevoking(false)} />}
      </Suspense>
    </>
  )
}

interface LoginCardProps {
  scope: AdminScope
  profile: ExternalProfile
  onSecret: (secret: z.infer<typeof Secret>) => void
}

function LoginCard({ scope, profile, onSecret }: LoginCardProps) {
  const [isRotating, setRotating] = useState(false)
  return (
    <Card
      title="Login"
      actions={
        scope.canWrite && (
          <Button icon={<RefreshCw aria-hidden />} onClick={() => setRotating(true)}>
            Rotate…
          </Button>
        )
      }
    >
      <LoginList logins={profile.logins} />
      <Suspense>
        {isRotating && (
          <RotateDialog scope={scope} profile={profile} onSecret={onSecret} onClose={() => setRotating(false)} />
        )}
      </Suspense>
    </Card>
  )
}
