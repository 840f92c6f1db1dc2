import type { Feedback, Message } from '@trellis/contract/ai/ai.schemas'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { TextArea } from '../../../ui/forms/TextField.tsx'
import { type ChatParams, useFeedback, useRateMessage, useReplaceMessage } from '../conversations.queries.ts'
import styles from './conversation.module.css'

type Reason = Feedback['reasons'][number]

const REASONS: Record<Reason, string> = {
  wrong_numbers: 'Wrong numbers',
  wrong_table: 'Wrong table',
  misread_question: 'Misread the question',
  missing_data: 'Missing data',
  too_slow: 'Too slow',
  hard_to_read: 'Hard to read',
  other: 'Something else',
}

export function Rating({ params, message }: { params: ChatParams; message: Message }) {
  const replace = useReplaceMessage()
  const rate = useRateMessage()
  const [isOpen, setOpen] = useState(false)
  const { rating, message_trellis_code } = message
  const send = (feedback: Feedback) =>
    rate.mutate(
      { params: { ...params, message_trellis_code }, body: feedback },
      { onSuccess: (saved) => replace({ ...message, rating: saved.rating }) },
    )
  const turn = (value: 'up' | 'down') => {
    const next = rating === value ? null : value
    setOpen(next === 'down')
    send({ rating: next, reasons: [], comment: '' })
  }
  return (
    <div role="group" aria-label="Rate this answer" className={styles.rating}>
      <IconButton
        size="sm"
        label="Good answer"
        aria-pressed={rating === 'up'}
        icon={<ThumbsUp aria-hidden />}
        onClick={() => turn('up')}
      />
      <IconButton
        size="sm"
        label="Bad answer"
        aria-pressed={rating === 'down'}
        icon={<ThumbsDown aria-hidden />}
        onClick={() => turn('down')}
      />
      {rating === 'down' && !isOpen && (
        <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
          Say why
        </Button>
      )}
      {rating === 'down' && isOpen && (
        <Reasons
          params={params}
          message={message_trellis_code}
          onSend={(reasons, comment) => {
            send({ rating: 'down', reasons, comment })
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

interface ReasonsProps {
  params: ChatParams
  message: string
  onSend: (reasons: Reason[], comment: string) => void
  onClose: () => void
}

function Reasons({ params, message, ...rest }: ReasonsProps) {
  const { data } = useFeedback(params, message)
  return data ? <ReasonsForm first={data} {...rest} /> : <Skeleton height={120} />
}

function ReasonsForm({ first, onSend, onClose }: Pick<ReasonsProps, 'onSend' | 'onClose'> & { first: Feedback }) {
  const [reasons, setReasons] = useState<ReadonlySet<Reason>>(new Set(first.reasons))
  const [comment, setComment] = useState(first.comment)
  const choose = (reason: Reason, isChosen: boolean) =>
    setReasons((before) => {
      const next = new Set(before)
      if (isChosen) next.add(reason)
      else next.delete(reason)
      return next
    })
  return (
    <form
      aria-label="What was wrong?"
      className={styles.reasons}
      onSubmit={(event) => {
        event.preventDefault()
        onSend([...reasons], comment.trim())
      }}
    >
      <div className={styles.reasonList}>
        {(Object.keys(REASONS) as Reason[]).map((reason) => (
          <Checkbox
            key={reason}
            label={REASONS[reason]}
            checked={reasons.has(reason)}
            onChange={(event) => choose(reason, event.target.checked)}
          />
        ))}
      </div>
      <TextArea
        label="Comment"
        isOptional
        rows={2}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      <div className={styles.actions}>
        <Button size="sm" variant="primary" type="submit">
          Send
        </Button>
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
