import type { Message } from '@trellis/contract/ai/ai.schemas'
import { lazy, memo, Suspense, useMemo } from 'react'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import type { ChatParams } from '../conversations.queries.ts'
import { type ConversationQuestion, ConversationQuestionScope, type Choices } from './conversation-question.ts'
import styles from './conversation.module.css'

const Answer = lazy(() => import('./Answer.tsx'))

export type ConversationAsking = Pick<ConversationQuestion, 'project' | 'ask'> & {
  getChoices: (message: Message) => Choices
}

interface MessageListProps {
  params: ChatParams
  messages: readonly Message[]
  asking: ConversationAsking
}

type AnswerMessageProps = ConversationQuestion & { params: ChatParams; message: Message }

/** Memoized: a streaming answer must not render the other answers. */
const AnswerMessage = memo(function AnswerMessage({ params, message, ...asking }: AnswerMessageProps) {
  const { question, choices, project, ask } = asking
  const scope = useMemo(() => ({ question, choices, project, ask }), [question, choices, project, ask])
  return (
    <ConversationQuestionScope value={scope}>
      <Suspense fallback={<Skeleton height={120} />}>
        <Answer params={params} message={message} />
      </Suspense>
    </ConversationQuestionScope>
  )
})

export function MessageList({ params, messages, asking: { getChoices, ...asking } }: MessageListProps) {
  return messages.map((message, index) => {
    const { message_trellis_code: code, role, text } = message
    if (role === 'user') {
      return (
        <p key={code} className={styles.question}>
          <span className="visually-hidden">You asked: </span>
          {text}
        </p>
      )
    }
    const question = messages.slice(0, index).findLast((candidate) => candidate.role === 'user')?.text ?? ''
    return (
      <AnswerMessage
        key={code}
        {...asking}
        params={params}
        message={message}
        question={question}
        choices={getChoices(message)}
      />
    )
  })
}
