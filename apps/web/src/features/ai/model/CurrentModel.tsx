import type { AiModel } from '@trellis/contract/ai/models.schemas'
import { useState, type ReactNode } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useDeleteAiModel, useUpdateAiModel } from './ai-model.queries.ts'
import { PROTOCOL_LABELS, SOURCE_NOTES } from './model-words.ts'
import styles from './model.module.css'

interface CurrentModelProps {
  account: string
  model: AiModel
  canEdit: boolean
}

export function CurrentModel({ account, model, canEdit }: CurrentModelProps) {
  const { source } = model
  return (
    <div className={styles.current}>
      <p className={styles.name}>
        <StatusDot tone={source === 'none' ? 'neutral' : 'success'}>
          {source === 'none' ? 'Rules only' : (model.model ?? 'A model')}
        </StatusDot>
      </p>
      <p className={styles.note}>{SOURCE_NOTES[source]}</p>
      <dl className={styles.facts}>
        {listFacts(model).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {canEdit && source === 'account' && <OwnModelActions account={account} model={model} />}
    </div>
  )
}

const toWord = (can: boolean): string => (can ? 'Supported' : 'Not supported')

function listFacts(model: AiModel): [string, ReactNode][] {
  const { source, protocol, base_url, can_stream, can_use_tools, context_tokens, checked_at, credits_per_answer } =
    model
  const cost = credits_per_answer === 0 ? 'No credits' : formatCount(credits_per_answer, 'credit')
  const facts: [string, ReactNode][] = []
  if (protocol !== null) facts.push(['Protocol', PROTOCOL_LABELS[protocol]])
  if (base_url !== null) facts.push(['Base URL', <code key="url">{base_url}</code>])
  if (source === 'account') facts.push(['API key', model.has_key ? 'A key is stored' : 'No key'])
  if (can_stream !== null) facts.push(['Streaming', toWord(can_stream)])
  if (can_use_tools !== null) facts.push(['Tools', toWord(can_use_tools)])
  if (source === 'account') {
    const size = context_tokens === null ? 'Not reported' : `${context_tokens.toLocaleString('en-US')} tokens`
    facts.push(['Context size', size])
  }
  if (checked_at !== null) facts.push(['Last tested', <DateTime key="at" value={checked_at} format="recent" />])
  facts.push(['Cost per answer', cost])
  return facts
}

function OwnModelActions({ account, model }: Omit<CurrentModelProps, 'canEdit'>) {
  const test = useUpdateAiModel()
  const remove = useDeleteAiModel()
  const [isAsking, setAsking] = useState(false)
  const params = { account_trellis_code: account }
  const { protocol, base_url, model: name } = model
  return (
    <>
      <div className={styles.actions}>
        {protocol !== null && base_url !== null && name !== null && (
          <Button
            isBusy={test.isPending}
            onClick={() => test.mutate({ params, body: { protocol, base_url, model: name } })}
          >
            Test again
          </Button>
        )}
        <Button onClick={() => setAsking(true)}>Remove model…</Button>
      </div>
      {test.error && (
        <Banner tone="danger" title="The test failed">
          {getErrorDetail(test.error)}
        </Banner>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Remove ${name ?? 'the model'}?`}
          confirmLabel="Remove model"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate({ params }, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <p>
            Its address and key are deleted. Questions are then answered by the model of this installation, or by rules
            when there is none. Answers given so far stay.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
