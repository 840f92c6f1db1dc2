import type { FirewallRule } from '@trellis/contract/database-admin/database-admin.schemas'
import { FirewallRuleCreate } from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { FormActions } from '../../../ui/forms/Form.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import type { AdminPlace } from '../admin-place.ts'
import { useAddRule, useExternals, useProfiles } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { ExpiryField } from '../ExpiryField.tsx'
import { SqlPlan } from '../SqlPlan.tsx'
import { cidrProblem, draftsOf, isEverybody, type RuleDraft } from './firewall-draft.ts'

interface RuleProps {
  place: AdminPlace
  rules: readonly FirewallRule[]
  start: RuleDraft
  onClose: () => void
}

export function RuleDialog({ place, rules, start, onClose }: RuleProps) {
  const add = useAddRule()
  const externals = useExternals(place)
  const profiles = useProfiles(place)
  const [draft, setDraft] = useState(start)
  const [isTouched, setTouched] = useState(false)
  const put = (change: Partial<RuleDraft>) => setDraft((old) => ({ ...old, ...change }))
  const name = FirewallRuleCreate.shape.name.safeParse(draft.name)
  const nameProblem = name.success ? undefined : name.error.issues[0]?.message
  const problem = cidrProblem(draft.cidr)
  const isRight = nameProblem === undefined && problem === undefined
  const send = () => {
    setTouched(true)
    if (!isRight) return
    add.mutate(
      { params: place.address, body: { integration_trellis_code: place.database, ...draft, cidr: draft.cidr.trim() } },
      { onSuccess: onClose },
    )
  }
  const who = [...(externals.data ?? []), ...(profiles.data ?? [])]
  return (
    <Dialog title="Add a firewall rule" size="md" isLocked={add.isPending} onClose={onClose}>
      <form
        noValidate
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <TextField
          label="Rule name"
          value={draft.name}
          error={isTouched ? nameProblem : undefined}
          autoComplete="off"
          data-autofocus
          onChange={(event) => put({ name: event.target.value })}
        />
        <TextField
          label="Address or range"
          value={draft.cidr}
          error={isTouched ? problem : undefined}
          hint="203.0.113.7, 203.0.113.0/24 or 2001:db8::/32"
          isMono
          autoComplete="off"
          spellCheck={false}
          onBlur={() => draft.cidr !== '' && setTouched(true)}
          onChange={(event) => put({ cidr: event.target.value })}
        />
        <Select
          label="Who"
          placeholder="Every login"
          value={draft.profile_trellis_code ?? ''}
          options={who.map((one) => ({ value: one.profile_trellis_code, label: one.name }))}
          onChange={(event) => put({ profile_trellis_code: event.target.value || null })}
        />
        <ExpiryField
          label="Until"
          hint="Empty: until it is removed."
          value={draft.expires_at}
          onChange={(expires_at) => put({ expires_at })}
        />
        {isEverybody(draft.cidr) && (
          <Banner tone="warning" title="That is the whole internet">
            Anybody can then try to guess passwords. Name the addresses you need.
          </Banner>
        )}
        <SqlPlan
          place={place}
          change={
            isRight
              ? {
                  kind: 'firewall',
                  firewall: {
                    integration_trellis_code: place.database,
                    rules: [...draftsOf(rules), { ...draft, cidr: draft.cidr.trim() }],
                    accepts_lock_out: true,
                  },
                }
              : null
          }
        />
        {add.isError && <Banner tone="danger">{add.error.message}</Banner>}
        <FormActions>
          <Button type="submit" variant="primary" isBusy={add.isPending}>
            Add rule
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
