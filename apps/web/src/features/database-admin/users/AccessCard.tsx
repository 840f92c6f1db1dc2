import { type DatabaseProfile, LoginName, type Secret } from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Switch } from '../../../ui/forms/Choices.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { useSetExternalAccess } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { ExpiryField } from '../ExpiryField.tsx'
import { LoginList } from '../LoginList.tsx'
import { LoginNameField } from '../LoginNameField.tsx'
import { SecretDialog } from '../SecretDialog.tsx'

export function AccessCard({ scope, profile }: { scope: AdminScope; profile: DatabaseProfile }) {
  const access = useSetExternalAccess()
  const [isOpen, setOpen] = useState(profile.has_external_access)
  const [isEnding, setEnding] = useState(false)
  const [limit, setLimit] = useState(String(profile.connection_limit))
  const [expiry, setExpiry] = useState(profile.logins[0]?.expires_at ?? null)
  const [secret, setSecret] = useState<z.infer<typeof Secret> | null>(null)
  const [loginName, setLoginName] = useState<string | null>(null)
  const count = Number(limit)
  const isLimitRight = Number.isInteger(count) && count >= 1 && count <= 50
  const isOn = profile.has_external_access
  const send = async (has_external_access: boolean) => {
    const accessResult = await access
      .mutateAsync({
        params: scope.address,
        body: {
          integration_trellis_code: scope.database,
          profile_trellis_code: profile.profile_trellis_code,
          has_external_access,
          ...(has_external_access && { expires_at: expiry, connection_limit: count }),
          ...(has_external_access && !isOn && loginName !== null && { login_name: loginName }),
        },
      })
      .catch(() => null)
    if (!accessResult) return
    setEnding(false)
    setOpen(has_external_access)
    setSecret(accessResult.secret)
  }
  return (
    <Card title="Outside tools" subtitle="A login of their own for psql, notebooks and BI tools.">
      <div className={styles.stack}>
        <Switch
          label="May connect with outside tools"
          checked={isOpen}
          disabled={!scope.canWrite}
          onChange={(event) => {
            if (isOn && !event.target.checked) setEnding(true)
            else setOpen(event.target.checked)
          }}
        />
        {isOpen && (
          <>
            {isOn ? (
              <LoginList logins={profile.logins} />
            ) : (
              <NewLoginName scope={scope} profile={profile} value={loginName} onChange={setLoginName} />
            )}
            <div className={styles.two}>
              <ExpiryField value={expiry} onChange={setExpiry} isDisabled={!scope.canWrite} />
              <TextField
                label="Connections at once"
                type="number"
                min={1}
                max={50}
                value={limit}
                disabled={!scope.canWrite}
                error={isLimitRight ? undefined : 'Choose a number from 1 to 50'}
                onChange={(event) => setLimit(event.target.value)}
              />
            </div>
            {scope.canWrite && (
              <span>
                <Button
                  variant={isOn ? 'secondary' : 'primary'}
                  disabled={!isLimitRight || !(isOn || isLoginNameRight(loginName))}
                  isBusy={access.isPending}
                  onClick={() => void send(true)}
                >
                  {isOn ? 'Save access' : 'Make a login'}
                </Button>
              </span>
            )}
          </>
        )}
        {access.isError && <Banner tone="danger">{access.error.message}</Banner>}
      </div>
      {isEnding && (
        <ConfirmDialog
          title={`End the access of ${profile.name}?`}
          confirmLabel="End access"
          isBusy={access.isPending}
          error={access.error?.message}
          onConfirm={() => void send(false)}
          onClose={() => setEnding(false)}
        >
          Their login is deleted and open connections end at once. In Trellis itself nothing changes for them.
        </ConfirmDialog>
      )}
      {secret && <SecretDialog scope={scope} secret={secret} onDone={() => setSecret(null)} />}
    </Card>
  )
}

const isLoginNameRight = (name: string | null) => name === null || LoginName.safeParse(name).success

interface NewLoginNameProps {
  scope: AdminScope
  profile: DatabaseProfile
  value: string | null
  onChange: (name: string | null) => void
}

function NewLoginName({ scope, profile, value, onChange }: NewLoginNameProps) {
  const { profile_trellis_code, role_trellis_codes, group_trellis_codes } = profile
  return (
    <LoginNameField
      scope={scope}
      value={value}
      onChange={onChange}
      about={{ profile_trellis_code, role_trellis_codes, group_trellis_codes }}
      error={value === null ? undefined : LoginName.safeParse(value).error?.issues[0]?.message}
    />
  )
}
