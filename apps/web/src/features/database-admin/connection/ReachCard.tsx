import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { useCheckReach, useExternals, useFirewall, useProfiles, useSchemaNames } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { findCidrProblem } from './firewall-draft.ts'

const ACTIONS = [
  { value: 'connect', label: 'connect' },
  { value: 'read', label: 'read' },
  { value: 'write', label: 'write' },
  { value: 'create', label: 'make tables' },
] as const
type Action = (typeof ACTIONS)[number]['value']

const chooseFirstGiven = (selected: string | undefined, usual: string | undefined) => selected ?? usual ?? ''

export function ReachCard({ scope }: { scope: AdminScope }) {
  const externals = useExternals(scope)
  const profiles = useProfiles(scope)
  const schemas = useSchemaNames(scope)
  const firewall = useFirewall(scope)
  const check = useCheckReach()
  const who = [...(externals.data ?? []), ...(profiles.data ?? [])]
  const [profile, setProfile] = useState('')
  const [address, setAddress] = useState<string | null>(null)
  const [action, setAction] = useState<Action>('read')
  const [schema, setSchema] = useState('')
  const [table, setTable] = useState('')
  const from = chooseFirstGiven(address ?? undefined, firewall.data?.your_address)
  const chosenSchema = chooseFirstGiven(schema || undefined, schemas.data?.[0])
  const chosenProfile = chooseFirstGiven(profile || undefined, who[0]?.profile_trellis_code)
  const problem = findCidrProblem(from)
  const canAsk = chosenProfile !== '' && chosenSchema !== '' && problem === undefined
  const ask = () =>
    check.mutate({
      params: scope.address,
      body: {
        integration_trellis_code: scope.database,
        profile_trellis_code: chosenProfile,
        address: from.trim(),
        schema_name: chosenSchema,
        table_name: table.trim() === '' ? null : table.trim(),
        action,
      },
    })
  return (
    <Card title="Could they?" subtitle="Checks network, firewall, login and rights in turn, without connecting.">
      <div className={styles.stack}>
        <div className={styles.two}>
          <Select
            label="Profile"
            value={chosenProfile}
            options={who.map((item) => ({ value: item.profile_trellis_code, label: item.name }))}
            {...(who.length === 0 && { placeholder: 'Nobody yet' })}
            onChange={(event) => setProfile(event.target.value)}
          />
          <TextField
            label="From the address"
            value={from}
            isMono
            error={address !== null ? problem : undefined}
            onChange={(event) => setAddress(event.target.value)}
          />
          <Select
            label="Do what"
            value={action}
            options={ACTIONS}
            onChange={(event) => setAction(event.target.value as Action)}
          />
          <Select
            label="In the schema"
            value={chosenSchema}
            options={(schemas.data ?? []).map((name) => ({ value: name, label: name }))}
            onChange={(event) => setSchema(event.target.value)}
          />
          <TextField
            label="Table"
            isOptional
            value={table}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setTable(event.target.value)}
          />
        </div>
        <span>
          <Button isBusy={check.isPending} disabled={!canAsk} onClick={ask}>
            Check
          </Button>
        </span>
        <Answer check={check} />
      </div>
    </Card>
  )
}

function Answer({ check: { data, error } }: { check: ReturnType<typeof useCheckReach> }) {
  if (error) return <Banner tone="danger">{error.message}</Banner>
  if (!data) return null
  return (
    <>
      <Banner
        tone={data.answer ? 'success' : 'danger'}
        title={data.answer ? 'Yes, they could' : 'No, they could not'}
      />
      <ol className={styles.steps} aria-label="Steps">
        {data.steps.map((step) => (
          <li key={step.label} data-holds={step.holds}>
            {step.holds ? <CircleCheck aria-hidden /> : <CircleX aria-hidden />}
            <span>
              <strong>{step.label}</strong>
              <span className="visually-hidden">{step.holds ? ' lets through' : ' stops'}</span>
              <br />
              <span className={styles.note}>{step.because}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
