import type { FirewallRule } from '@trellis/contract/database-admin/database-admin.schemas'
import { FirewallRuleCreate } from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { FormActions } from '../../../ui/forms/Form.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import type { AdminPlace } from '../admin-place.ts'
import { useAddRule, useExternals, useProfiles, useSetFirewall } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { ExpiryField } from '../ExpiryField.tsx'
import { SqlPlan } from '../SqlPlan.tsx'
import { cidrProblem, isAnyAddress, type RuleDraft, withDraft } from './firewall-draft.ts'

interface RuleProps {
  place: AdminPlace
  rules: readonly FirewallRule[]
  start: RuleDraft
  /** The rule it stands for; a new one without. */
  edited?: FirewallRule
  onClose: () => void
}

const CONFIRM_LABELS: Readonly<Record<string, string>> = {
  any_address: 'Let every address in',
  lock_out: 'Save all the same',
}

export function RuleDialog({ place, rules, start, edited, onClose }: RuleProps) {
  const add = useAddRule()
  const replace = useSetFirewall()
  const sent = edited ? replace : add
  /** What the server refused until it is confirmed. */
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const asked = sent.error instanceof ApiError && sent.error.code in CONFIRM_LABELS ? sent.error.code : undefined
  const externals = useExternals(place)
  const profiles = useProfiles(place)
  const [draft, setDraft] = useState(start)
  const [isTouched, setTouched] = useState(false)
  const put = (change: Partial<RuleDraft>) => {
    setDraft((old) => ({ ...old, ...change }))
    setConfirmed([])
    sent.reset()
  }
  const name = FirewallRuleCreate.shape.name.safeParse(draft.name)
  const nameProblem = name.success ? undefined : name.error.issues[0]?.message
  const problem = cidrProblem(draft.cidr)
  const isRight = nameProblem === undefined && problem === undefined
  const trimmed = { ...draft, cidr: draft.cidr.trim() }
  const send = () => {
    setTouched(true)
    if (!isRight) return
    const accepted = asked ? [...confirmed, asked] : confirmed
    setConfirmed(accepted)
    const common = {
      integration_trellis_code: place.database,
      accepts_any_address: accepted.includes('any_address'),
    }
    if (!edited) {
      add.mutate({ params: place.address, body: { ...common, ...trimmed } }, { onSuccess: onClose })
      return
    }
    const accepts_lock_out = accepted.includes('lock_out')
    const body = { ...common, rules: withDraft(rules, trimmed, edited), accepts_lock_out }
    replace.mutate(
      { params: place.address, body },
      {
        onSuccess: () => {
          showToast({ tone: 'success', text: 'Rule saved.' })
          onClose()
        },
      },
    )
  }
  const who = [...(externals.data ?? []), ...(profiles.data ?? [])]
  return (
    <Dialog title={edited ? `Edit the rule ${edited.name}` : 'Add a firewall rule'} size="md" isLocked={sent.isPending} onClose={onClose}>
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
        {isAnyAddress(draft.cidr) && !asked && (
          <Banner tone="warning" title="That is the whole internet">
            Anybody who can reach the server can then try passwords. Name the addresses you need.
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
                    rules: withDraft(rules, trimmed, edited),
                    accepts_lock_out: true,
                    accepts_any_address: true,
                  },
                }
              : null
          }
        />
        {sent.isError && <Banner tone={asked ? 'warning' : 'danger'}>{sent.error.message}</Banner>}
        <FormActions>
          <Button type="submit" variant={asked ? 'danger' : 'primary'} isBusy={sent.isPending}>
            {asked ? CONFIRM_LABELS[asked] : edited ? 'Save rule' : 'Add rule'}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
