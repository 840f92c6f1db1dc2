import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { FormActions } from '../../../ui/forms/Form.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useExternals, useProfiles } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { ExpiryField } from '../ExpiryField.tsx'
import { SqlPlan } from '../SqlPlan.tsx'
import { isAnyAddress, withDraft } from './firewall-draft.ts'
import { type RuleProps, useRuleDraft } from './use-rule-draft.ts'

export function RuleDialog({ scope, rules, start, edited, onClose }: RuleProps) {
  const externals = useExternals(scope)
  const profiles = useProfiles(scope)
  const { draft, put, sent, asked, problems, isRight, isTouched, touch, send } = useRuleDraft({
    scope,
    rules,
    start,
    edited,
    onClose,
  })
  const who = [...(externals.data ?? []), ...(profiles.data ?? [])]
  return (
    <Dialog
      title={edited ? `Edit the rule ${edited.name}` : 'Add a firewall rule'}
      size="md"
      isLocked={sent.isPending}
      onClose={onClose}
    >
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
          error={isTouched ? problems.name : undefined}
          autoComplete="off"
          data-autofocus
          onChange={(event) => put({ name: event.target.value })}
        />
        <TextField
          label="Address or range"
          value={draft.cidr}
          error={isTouched ? problems.cidr : undefined}
          hint="203.0.113.7, 203.0.113.0/24 or 2001:db8::/32"
          isMono
          autoComplete="off"
          spellCheck={false}
          onBlur={() => draft.cidr !== '' && touch()}
          onChange={(event) => put({ cidr: event.target.value })}
        />
        <Select
          label="Who"
          placeholder="Every login"
          value={draft.profile_trellis_code ?? ''}
          options={who.map((item) => ({ value: item.profile_trellis_code, label: item.name }))}
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
          scope={scope}
          change={
            isRight
              ? {
                  kind: 'firewall',
                  firewall: {
                    integration_trellis_code: scope.database,
                    rules: withDraft(rules, draft, edited),
                    accepts_lock_out: true,
                    accepts_any_address: true,
                  },
                }
              : null
          }
        />
        {sent.isError && <Banner tone={asked ? 'warning' : 'danger'}>{sent.error.message}</Banner>}
        <FormActions>
          <Button disabled={sent.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant={asked ? 'danger' : 'primary'} isBusy={sent.isPending}>
            {asked ?? (edited ? 'Save rule' : 'Add rule')}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
