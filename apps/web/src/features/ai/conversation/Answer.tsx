import type { Message } from '@trellis/contract/ai/ai.schemas'
import { RotateCw } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { type ChatParams, useReplaceMessage } from '../conversations.queries.ts'
import { useConversationQuestion, useCanAsk } from './conversation-question.ts'
import { MakeSparkButton } from './MakeSparkButton.tsx'
import { AnswerParts } from './parts/AnswerParts.tsx'
import { Rating } from './Rating.tsx'
import { ScheduleButton } from './ScheduleButton.tsx'
import { isGoing, useFollowAnswer } from './use-follow-answer.ts'
import styles from './conversation.module.css'

const END_STATUS_TEXTS = {
  failed: 'The answer failed. It cost nothing.',
  cancelled: 'The answer was stopped. It cost nothing.',
} as const

/** Lazy: an empty chat does not need it. */
export default function Answer({ params, message }: { params: ChatParams; message: Message }) {
  const { status, parts } = message
  useFollowAnswer(params, isGoing(message) ? message : null, useReplaceMessage())
  return (
    <article aria-label="Answer" aria-busy={isGoing(message)} className={styles.answer}>
      <AnswerParts parts={parts} />
      {isGoing(message) && (
        <p className={styles.state}>
          <StatusDot tone="info" isBusy>
            {parts.length === 0 ? 'Reading the question' : 'Writing the answer'}
          </StatusDot>
        </p>
      )}
      {(status === 'failed' || status === 'cancelled') && <Ended text={END_STATUS_TEXTS[status]} />}
      {status === 'completed' && (
        <div className={styles.after}>
          <ScheduleButton />
          <MakeSparkButton params={params} message={message} />
          <Rating params={params} message={message} />
        </div>
      )}
    </article>
  )
}

function Ended({ text }: { text: string }) {
  const { ask, question, choices } = useConversationQuestion()
  const canAsk = useCanAsk()
  return (
    <p className={styles.state}>
      {text}{' '}
      <Button
        size="sm"
        icon={<RotateCw aria-hidden />}
        disabled={!canAsk || question === ''}
        onClick={() => ask(question, choices)}
      >
        Ask again
      </Button>
    </p>
  )
}
