import type { RestAuth, RestErrorRule } from '@trellis/contract/integrations/rest-manifest'
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../ui/actions/Button.tsx'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { Checkbox } from '../../ui/forms/Choices.tsx'
import styles from './builder.module.css'
import { DraftList, DraftNumber, DraftPairs, DraftSelect, DraftText, Part, readNumbers } from './DraftFields.tsx'
import type { Draft } from './use-draft.ts'

export function AddressPart({ draft }: { draft: Draft }) {
  const hasBudget = draft.manifest.budget !== undefined
  return (
    <Part title="Address">
      <DraftText
        isMono
        draft={draft}
        path="base_url"
        label="Base URL"
        placeholder="https://api.example.com/v1"
        hint="Paths of streams are added to it. An input can stand in it, as {{ config.shop }}."
      />
      <DraftPairs draft={draft} path="headers" label="Headers of every request" one="header" />
      <Checkbox
        label="Hold to a rate"
        hint="Never more requests than the service allows, whatever else uses these credentials."
        checked={hasBudget}
        onChange={() => draft.set('budget', hasBudget ? undefined : { requests: 10, seconds: 1 })}
      />
      {hasBudget && (
        <div className={styles.row}>
          <DraftNumber draft={draft} path="budget.requests" label="Requests" />
          <DraftNumber draft={draft} path="budget.seconds" label="In seconds" />
        </div>
      )}
    </Part>
  )
}

export function InputsPart({ draft }: { draft: Draft }) {
  const { inputs } = draft.manifest
  return (
    <Part
      title="Inputs"
      hint="What the person fills in. Used as {{ config.name }} in the address, paths, headers and the sign-in."
    >
      {inputs.map((_, index) => (
        <div key={index} className={styles.line}>
          <DraftText isMono draft={draft} path={`inputs.${index}.reference`} label="Name" placeholder="api_key" />
          <DraftText draft={draft} path={`inputs.${index}.label`} label="Label" placeholder="API key" />
          <Checkbox
            label="Secret"
            checked={inputs[index]?.is_secret === true}
            onChange={(event) => draft.set(`inputs.${index}.is_secret`, event.target.checked)}
          />
          <IconButton
            label={`Remove input ${index + 1}`}
            icon={<Trash2 aria-hidden />}
            onClick={() => draft.set(`inputs.${index}`, undefined)}
          />
        </div>
      ))}
      <Button
        size="sm"
        icon={<Plus aria-hidden />}
        onClick={() => draft.set('inputs', [...inputs, { reference: '', label: '', is_secret: false }])}
      >
        Add input
      </Button>
    </Part>
  )
}

const AUTHS: Record<RestAuth['type'], { label: string; start: RestAuth }> = {
  none: { label: 'None', start: { type: 'none' } },
  bearer: { label: 'Bearer token', start: { type: 'bearer', token: '{{ config.token }}' } },
  basic: {
    label: 'Name and password',
    start: { type: 'basic', username: '{{ config.username }}', password: '{{ config.password }}' },
  },
  api_key: {
    label: 'API key in a header or parameter',
    start: { type: 'api_key', in: 'header', name: 'X-API-Key', value: '{{ config.api_key }}' },
  },
  oauth: { label: 'OAuth consent', start: { type: 'oauth' } },
}

/** Custom sources have no OAuth consent page. */
const OFFERED: readonly RestAuth['type'][] = ['none', 'bearer', 'basic', 'api_key']

/** Also adds the inputs it refers to. */
export function AuthPart({ draft }: { draft: Draft }) {
  const { auth, inputs } = draft.manifest
  const choose = (type: RestAuth['type']) => {
    const { start } = AUTHS[type]
    const named = [...JSON.stringify(start).matchAll(/config\.(\w+)/g)].map((match) => match[1] ?? '')
    const missing = named.filter((reference) => !inputs.some((input) => input.reference === reference))
    const added = missing.map((reference) => ({
      reference,
      label: LABELS[reference] ?? reference,
      is_secret: reference !== 'username',
    }))
    draft.replace({ ...draft.manifest, auth: start, inputs: [...inputs, ...added] })
  }
  const offered = OFFERED.includes(auth.type) ? OFFERED : [...OFFERED, auth.type]
  return (
    <Part title="Sign-in">
      <DraftSelect
        draft={draft}
        path="auth.type"
        label="How"
        options={offered.map((type) => ({ value: type, label: AUTHS[type].label }))}
        onChoose={(type) => choose(type as RestAuth['type'])}
      />
      {auth.type === 'bearer' && <DraftText isMono draft={draft} path="auth.token" label="Token" />}
      {auth.type === 'basic' && (
        <div className={styles.row}>
          <DraftText isMono draft={draft} path="auth.username" label="Name" />
          <DraftText isMono draft={draft} path="auth.password" label="Password" />
        </div>
      )}
      {auth.type === 'api_key' && (
        <div className={styles.row}>
          <DraftSelect draft={draft} path="auth.in" label="Where" options={KEY_PLACES} />
          <DraftText isMono draft={draft} path="auth.name" label="Name" />
          <DraftText isMono draft={draft} path="auth.value" label="Value" />
        </div>
      )}
    </Part>
  )
}

const KEY_PLACES = [
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'Parameter' },
]
const LABELS: Record<string, string> = {
  token: 'Token',
  username: 'User name',
  password: 'Password',
  api_key: 'API key',
}

const KINDS: { value: RestErrorRule['kind']; label: string }[] = [
  { value: 'configuration', label: 'Stop: a setting is wrong' },
  { value: 'transient', label: 'Retry' },
  { value: 'rate_limited', label: 'Wait, then try again' },
  { value: 'refresh_token', label: 'Renew the token, then try again' },
  { value: 'ignore', label: 'Continue without it' },
  { value: 'system', label: 'Stop: the service is at fault' },
]

export function ErrorsPart({ draft }: { draft: Draft }) {
  const rules = draft.manifest.errors ?? []
  return (
    <Part
      title="Errors"
      hint="Without a rule, 401 and 403 stop, 429 waits, 5xx is tried again. Rules come before that, first match wins."
    >
      {rules.map((_, index) => (
        <div key={index} className={styles.box}>
          <div className={styles.row}>
            <DraftList
              isOptional
              draft={draft}
              path={`errors.${index}.status`}
              label="Status"
              placeholder="400, 422"
              read={readNumbers}
            />
            <DraftText isOptional draft={draft} path={`errors.${index}.contains`} label="Answer contains" />
            <DraftSelect draft={draft} path={`errors.${index}.kind`} label="Then" options={KINDS} />
          </div>
          <DraftText
            isOptional
            draft={draft}
            path={`errors.${index}.message`}
            label="What to say"
            placeholder="The key may not read orders."
          />
          <Button
            size="sm"
            variant="ghost"
            icon={<Trash2 aria-hidden />}
            onClick={() => draft.set('errors', rules.length === 1 ? undefined : rules.toSpliced(index, 1))}
          >
            Remove rule {index + 1}
          </Button>
        </div>
      ))}
      <Button
        size="sm"
        icon={<Plus aria-hidden />}
        onClick={() => draft.set('errors', [...rules, { kind: 'configuration' }])}
      >
        Add rule
      </Button>
    </Part>
  )
}
