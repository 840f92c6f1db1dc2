import type { Connection } from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../ui/data/CodeBlock.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { PasswordField } from '../../../ui/forms/TextField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { useExternals, useProfiles, useRights, useTestConnection } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { connectionStrings, MASK, PLACEHOLDER } from './connection-strings.ts'

/** A typed password stays in the page and is masked. */
export function StringsCard({ scope, connection }: { scope: AdminScope; connection: Connection }) {
  const logins = useLogins(scope)
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const [tool, setTool] = useState('psql')
  const name = user || logins[0]?.value || 'YOUR_LOGIN'
  const schemas = useGrantedSchemas(scope, logins.find((login) => login.value === name)?.profileCode)
  const shownConnectionStrings = connectionStrings(connection, {
    user: name,
    password: password === '' ? PLACEHOLDER : MASK,
    schemas,
  })
  const real = connectionStrings(connection, { user: name, password: password || PLACEHOLDER, schemas })
  const text = shownConnectionStrings.find((connectionString) => connectionString.key === tool)
  return (
    <Card title="Connection strings" subtitle="Choose who connects and with what; copy the rest.">
      <div className={styles.stack}>
        <div className={styles.two}>
          <Select
            label="Login"
            value={user || (logins[0]?.value ?? '')}
            options={logins.map(({ value, label }) => ({ value, label }))}
            {...(logins.length === 0 && { placeholder: 'No login yet' })}
            hint={
              logins.length === 0
                ? 'Make one under External profiles, or allow a user to use outside tools.'
                : undefined
            }
            onChange={(event) => setUser(event.target.value)}
          />
          <PasswordField
            label="Password"
            isOptional
            autoComplete="off"
            hint="To copy it along and to try it. It stays in this page."
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Select
            label="Tool"
            value={tool}
            options={shownConnectionStrings.map((connectionString) => ({
              value: connectionString.key,
              label: connectionString.label,
            }))}
            onChange={(event) => setTool(event.target.value)}
          />
        </div>
        {text && (
          <CodeBlock
            title={text.label}
            code={text.text}
            copied={real.find((connectionString) => connectionString.key === tool)?.text ?? text.text}
            isWrapped
          />
        )}
        <TryIt scope={scope} user={name} password={password} canTry={logins.length > 0 && password !== ''} />
      </div>
    </Card>
  )
}

interface TryProps {
  scope: AdminScope
  user: string
  password: string
  canTry: boolean
}

function TryIt({ scope, user, password, canTry }: TryProps) {
  const test = useTestConnection()
  const send = () =>
    test.mutate({
      params: scope.address,
      body: { integration_trellis_code: scope.database, user_name: user, password },
    })
  return (
    <>
      <span>
        <Button isBusy={test.isPending} disabled={!canTry} onClick={send}>
          Test from here
        </Button>
      </span>
      {test.data && (
        <Banner tone={test.data.works ? 'success' : 'danger'} title={test.data.works ? 'It works' : 'It does not work'}>
          {test.data.message}
          {test.data.works && ` (${test.data.milliseconds} ms)`}
        </Banner>
      )}
      {test.isError && <Banner tone="danger">{test.error.message}</Banner>}
    </>
  )
}

function useLogins(scope: AdminScope) {
  const externals = useExternals(scope)
  const profiles = useProfiles(scope)
  return [...(externals.data ?? []), ...(profiles.data ?? [])].flatMap((profile) =>
    profile.logins
      .filter((login) => login.ends_at === null)
      .map((login) => ({
        value: login.user_name,
        label: `${profile.name} (${login.user_name})`,
        profileCode: profile.profile_trellis_code,
      })),
  )
}

function useGrantedSchemas(scope: AdminScope, profileCode: string | undefined): string[] {
  const rights = useRights(scope)
  const row = rights.data?.lines.find((candidate) => candidate.profile_trellis_code === profileCode)
  return (row?.cells ?? [])
    .filter((cell) => cell.rights.some(({ right }) => right === 'read'))
    .map((cell) => cell.schema_name)
}
