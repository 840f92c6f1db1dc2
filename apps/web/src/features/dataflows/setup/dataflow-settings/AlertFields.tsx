import type { Alerts } from '@trellis/contract/dataflows/dataflows.schemas'
import { useState } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { StatusDot } from '../../../../ui/feedback/Status.tsx'
import { Switch } from '../../../../ui/forms/Choices.tsx'
import { isSame } from '../../../../ui/forms/form-values.ts'
import { TextArea, TextField } from '../../../../ui/forms/TextField.tsx'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { useTestAlerts } from '../setup.queries.ts'
import { parseEmails, findEmailsProblem, findWebhookProblem } from './alert-texts.ts'
import styles from './dataflow-settings.module.css'
import { WebhookKey } from './WebhookKey.tsx'

interface FieldsProps {
  dataflow: string
  alerts: Alerts
  /** As saved: a test mail goes to these. */
  saved: Alerts
  isDisabled: boolean
  onChange: (alerts: Alerts) => void
}

const SWITCHES = [
  {
    name: 'on_failure',
    label: 'A run failed',
    hint: 'With the reason and a link to its log. Also when a table followed changed columns, or a replication slot was dropped.',
  },
  { name: 'on_recovery', label: 'It works again', hint: 'The first success after a failure.' },
  {
    name: 'on_later_than_usual',
    label: 'Later than usual',
    hint: 'A run begins later or lasts longer than nearly all before it.',
  },
] as const

export function AlertFields({ dataflow, alerts, saved, isDisabled, onChange }: FieldsProps) {
  const [emails, setEmails] = useState(alerts.emails.join(', '))
  const [webhook, setWebhook] = useState(alerts.webhook_url ?? '')
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const touch = (name: string) => setTouched((old) => new Set(old).add(name))
  return (
    <div className={styles.stack}>
      <TextArea
        label="E-mails"
        isOptional
        rows={2}
        placeholder="ada@example.com, team@example.com"
        hint="With commas between them."
        value={emails}
        disabled={isDisabled}
        error={touched.has('emails') ? findEmailsProblem(emails) : undefined}
        onBlur={() => touch('emails')}
        onChange={(event) => {
          setEmails(event.target.value)
          onChange({ ...alerts, emails: parseEmails(event.target.value) })
        }}
      />
      <TextField
        label="Webhook"
        isOptional
        type="url"
        placeholder="https://example.com/hooks/trellis"
        hint="Gets the same as JSON."
        value={webhook}
        disabled={isDisabled}
        error={touched.has('webhook_url') ? findWebhookProblem(webhook) : undefined}
        onBlur={() => touch('webhook_url')}
        onChange={(event) => {
          setWebhook(event.target.value)
          onChange({ ...alerts, webhook_url: event.target.value.trim() || null })
        }}
      />
      {saved.webhook_url !== null && <WebhookKey dataflow={dataflow} isDisabled={isDisabled} />}
      <fieldset className={styles.switches}>
        <legend>Tell them when</legend>
        {SWITCHES.map(({ name, label, hint }) => (
          <Switch
            key={name}
            label={label}
            hint={hint}
            checked={alerts[name]}
            disabled={isDisabled}
            onChange={(event) => onChange({ ...alerts, [name]: event.target.checked })}
          />
        ))}
      </fieldset>
      <TestAlerts
        dataflow={dataflow}
        isSaved={isSame(alerts, saved)}
        hasSome={saved.emails.length > 0 || saved.webhook_url !== null}
        isDisabled={isDisabled}
      />
    </div>
  )
}

interface TestProps {
  dataflow: string
  isSaved: boolean
  hasSome: boolean
  isDisabled: boolean
}

function TestAlerts({ dataflow, isSaved, hasSome, isDisabled }: TestProps) {
  const { address } = useDataflowsScope()
  const test = useTestAlerts()
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <Button
          isBusy={test.isPending}
          disabled={isDisabled || !isSaved || !hasSome}
          onClick={() => test.mutate({ params: { ...address, trellis_code: dataflow } })}
        >
          Send a test
        </Button>
        <span className={styles.soft}>
          {!isSaved ? 'Save first: a test goes to what is saved.' : hasSome ? '' : 'Add an e-mail or a webhook first.'}
        </span>
      </div>
      {test.error && <Banner tone="danger">{test.error.message}</Banner>}
      {test.data && (
        <ul className={styles.results} aria-label="How the test went">
          {test.data.results.map(({ to, did_succeed, message }) => (
            <li key={to}>
              <StatusDot tone={did_succeed ? 'success' : 'danger'}>{to}</StatusDot>
              <span className={styles.soft}>{message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
