import type { Message } from '@trellis/contract/ai/ai.schemas'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import type { ChatParams } from '../conversations.queries.ts'
import { type Asking, AskingScope, type Choices } from './asking.ts'
import styles from './conversation.module.css'

const Answer = lazy(() => import('./Answer.tsx'))

export type ConversationAsking = Pick<Asking, 'project' | 'canAsk' | 'ask'> & {
  choicesOf: (message: Message) => Choices
}

interface MessageListProps {
  params: ChatParams
  messages: readonly Message[]
  asking: ConversationAsking
}

export function MessageList({ params, messages, asking: { choicesOf, ...asking } }: MessageListProps) {
  return messages.map((message, at) => {
    const { message_trellis_code: code, role, text } = message
    if (role === 'user') {
      return (
        <p key={code} className={styles.question}>
          <span className="visually-hidden">You asked: </span>
          {text}
        </p>
      )
    }
    const question = messages.slice(0, at).findLast((one) => one.role === 'user')?.text ?? ''
    return (
      <AskingScope key={code} value={{ ...asking, question, choices: choicesOf(message) }}>
        <Suspense fallback={<Skeleton height={120} />}>
          <Answer params={params} message={message} />
        </Suspense>
      </AskingScope>
    )
  })
}
