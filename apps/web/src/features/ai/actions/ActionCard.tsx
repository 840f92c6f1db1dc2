import type { ActionItem, ActionStatus } from '@trellis/contract/actions/actions.schemas'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { StatusDot, type Tone } from '../../../ui/feedback/Status.tsx'
import { useAi } from '../use-ai.ts'
import { useActionItem, useDecideAction } from './actions.queries.ts'
import styles from './actions.module.css'
import { useRunEffect } from './use-run-effect.ts'

const SnakeDialog = lazy(() => import('./snake/SnakeDialog.tsx'))

const STATUSES: Record<ActionStatus, { word: string; tone: Tone }> = {
  proposed: { word: 'Waiting for your decision', tone: 'info' },
  accepted: { word: 'Accepted', tone: 'success' },
  declined: { word: 'Declined', tone: 'neutral' },
  failed: { word: 'Failed', tone: 'danger' },
  undone: { word: 'Undone', tone: 'neutral' },
}

export function ActionCard({ code }: { code: string }) {
  const { params } = useAi()
  const { data: item, isError } = useActionItem(params, code)
  if (isError) return <Banner tone="warning" title="The proposed action could not be loaded. Reload the page." />
  return item ? <Card item={item} /> : <Skeleton height={96} />
}

function Card({ item }: { item: ActionItem }) {
  const { params } = useAi()
  const { action_id, title, summary, preview, status, can_undo, effect, problem } = item
  const [isPlaying, setPlaying] = useState(false)
  const run = useRunEffect(() => setPlaying(true))
  const decide = useDecideAction(params)
  const send = (decision: 'accept' | 'decline' | 'undo') =>
    decide.mutate(
      { params: { ...params, action_id }, body: { decision } },
      { onSuccess: (next) => decision === 'accept' && next.status === 'accepted' && next.effect && run(next.effect) },
    )
  const again = status === 'accepted' && effect ? REPEAT_LABELS[effect.kind] : null
  return (
    <div role="group" aria-label={`Action: ${title}`} className={styles.card}>
      <div className={styles.head}>
        <strong>{title}</strong>
        <StatusDot tone={STATUSES[status].tone}>{STATUSES[status].word}</StatusDot>
      </div>
      <p className={styles.summary}>{summary}</p>
      {preview.length > 0 && (
        <dl className={styles.preview}>
          {preview.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {problem && <Banner tone="danger" title={problem} />}
      {effect?.kind === 'help' && (
        <ul aria-label="Actions" className={styles.help}>
          {effect.actions.map(({ action_type, description }) => (
            <li key={action_type}>
              <code>/{action_type}</code> {description}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.buttons}>
        {status === 'proposed' && (
          <>
            <Button size="sm" variant="primary" isBusy={decide.isPending} onClick={() => send('accept')}>
              Accept
            </Button>
            <Button size="sm" disabled={decide.isPending} onClick={() => send('decline')}>
              Decline
            </Button>
          </>
        )}
        {again && effect && (
          <Button size="sm" onClick={() => run(effect)}>
            {again}
          </Button>
        )}
        {can_undo && (
          <Button size="sm" isBusy={decide.isPending} onClick={() => send('undo')}>
            Undo
          </Button>
        )}
      </div>
      {isPlaying && (
        <Suspense>
          <SnakeDialog onClose={() => setPlaying(false)} />
        </Suspense>
      )}
    </div>
  )
}

const REPEAT_LABELS = { navigate: 'Open', game: 'Play', theme: null, help: null } as const
