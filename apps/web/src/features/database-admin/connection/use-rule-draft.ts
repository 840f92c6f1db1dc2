import { type FirewallRule, FirewallRuleCreate } from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { showToast } from '../../../ui/feedback/toasts.ts'
import type { AdminScope } from '../admin-scope.ts'
import { useAddRule, useSetFirewall } from '../database-admin.queries.ts'
import { findCidrProblem, type RuleDraft, withDraft } from './firewall-draft.ts'

export interface RuleProps {
  scope: AdminScope
  rules: readonly FirewallRule[]
  start: RuleDraft
  edited?: FirewallRule | undefined
  onClose: () => void
}

/** Server refusals that a confirmation overrides, with the label of that button. */
const CONFIRMATIONS: Readonly<Record<string, string>> = {
  any_address: 'Let every address in',
  lock_out: 'Save all the same',
}

export function useRuleDraft({ scope, rules, start, edited, onClose }: RuleProps) {
  const add = useAddRule()
  const replace = useSetFirewall()
  const mutation = edited ? replace : add
  const [draft, setDraft] = useState(start)
  const [isTouched, setTouched] = useState(false)
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const code =
    mutation.error instanceof ApiError && mutation.error.code in CONFIRMATIONS ? mutation.error.code : undefined
  const name = FirewallRuleCreate.shape.name.safeParse(draft.name)
  const problems = {
    name: name.success ? undefined : name.error.issues[0]?.message,
    cidr: findCidrProblem(draft.cidr),
  }
  const isRight = problems.name === undefined && problems.cidr === undefined
  const send = () => {
    setTouched(true)
    if (!isRight) return
    const accepted = code === undefined ? confirmed : [...confirmed, code]
    setConfirmed(accepted)
    const trimmed = { ...draft, cidr: draft.cidr.trim() }
    const common = {
      integration_trellis_code: scope.database,
      accepts_any_address: accepted.includes('any_address'),
    }
    if (!edited) {
      add.mutate({ params: scope.address, body: { ...common, ...trimmed } }, { onSuccess: onClose })
      return
    }
    const body = {
      ...common,
      rules: withDraft(rules, trimmed, edited),
      accepts_lock_out: accepted.includes('lock_out'),
    }
    const onSuccess = () => {
      showToast({ tone: 'success', text: 'Rule saved.' })
      onClose()
    }
    replace.mutate({ params: scope.address, body }, { onSuccess })
  }
  return {
    draft,
    put: (change: Partial<RuleDraft>) => {
      // `reset` would drop a pending response: the rule would be added twice.
      if (mutation.isPending) return
      setDraft((oldRuleDraft) => ({ ...oldRuleDraft, ...change }))
      setConfirmed([])
      mutation.reset()
    },
    sent: mutation,
    asked: code === undefined ? undefined : CONFIRMATIONS[code],
    problems,
    isRight,
    isTouched,
    touch: () => setTouched(true),
    send,
  }
}
