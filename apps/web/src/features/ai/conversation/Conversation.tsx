import type { Message } from '@trellis/contract/ai/ai.schemas'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { usePageActions } from '../../../app/palette/page-actions.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import {
  type ChatParams,
  type StoredConversation,
  useAppendMessages,
  useCancelAnswer,
  useConversationMetadata,
  useReplaceMessage,
  useSendMessage,
} from '../conversations.queries.ts'
import { QuestionBox } from '../composer/QuestionBox.tsx'
import type { Choices } from './asking.ts'
import { ConversationHead } from './ConversationHead.tsx'
import { EarlierMessages } from './EarlierMessages.tsx'
import { EmptyConversation } from './EmptyConversation.tsx'
import { MessageList } from './MessageList.tsx'
import { isGoing } from './use-follow-answer.ts'
import { useStayAtEnd } from './use-stay-at-end.ts'
import styles from './conversation.module.css'

interface ConversationProps {
  params: ChatParams
  conversation: StoredConversation
}

export function Conversation({ params, conversation }: ConversationProps) {
  const { messages, page, project_trellis_code: project } = conversation
  const [firstPage, setFirstPage] = useState(page)
  const { data: metadata } = useConversationMetadata(params)
  const append = useAppendMessages(params)
  const replace = useReplaceMessage()
  const send = useSendMessage()
  const cancel = useCancelAnswer()
  const sentChoices = useRef(new Map<string, Choices>())
  const draft = useDraft()
  const going = messages.findLast((one) => one.role === 'assistant' && isGoing(one)) ?? null
  const { scroller, goToEnd } = useStayAtEnd(messages.at(-1)?.sha)

  const ask = async (text: string, choices?: Choices): Promise<boolean> => {
    try {
      const { question, answer } = await send.mutateAsync({ params, body: { text, ...(choices && { choices }) } })
      if (choices) sentChoices.current.set(answer.message_trellis_code, choices)
      append(question, answer)
      goToEnd()
      return true
    } catch {
      return false
    }
  }
  const stop = going
    ? () => {
        const { message_trellis_code } = going
        cancel.mutate({ params: { ...params, message_trellis_code } }, { onSuccess: replace })
      }
    : undefined
  usePageActions(stop ? [{ id: 'stop-answer', title: 'Stop answer', run: stop }] : [])
  const asking = {
    project,
    canAsk: going === null && !send.isPending,
    ask: (text: string, choices?: Choices) => void ask(text, choices),
    choicesOf: (message: Message) => sentChoices.current.get(message.message_trellis_code) ?? {},
  }
  return (
    <>
      <ConversationHead chat={metadata ?? conversation} projectName={metadata?.project_name} />
      <div ref={scroller} className={styles.scroller}>
        <div role="log" aria-live="off" aria-label="Conversation" className={styles.column}>
          {firstPage > 1 && (
            <Button size="sm" variant="ghost" onClick={() => setFirstPage(firstPage - 1)}>
              Show earlier messages
            </Button>
          )}
          {Array.from({ length: Math.max(0, page - firstPage) }, (_, at) => (
            <EarlierMessages key={firstPage + at} params={params} page={firstPage + at} asking={asking} />
          ))}
          <MessageList params={params} messages={messages} asking={asking} />
          {messages.length === 0 && (
            <EmptyConversation
              project={project}
              tableCount={metadata?.table_count}
              isDisabled={!asking.canAsk}
              onAsk={asking.ask}
            />
          )}
        </div>
      </div>
      <footer className={styles.foot}>
        <QuestionBox
          first={draft}
          last={messages.findLast(({ role }) => role === 'user')?.text ?? ''}
          isBusy={send.isPending}
          onStop={stop}
          onAsk={(text) => ask(text)}
        />
        <p className={styles.note}>{metadata && describeCost(metadata)}</p>
        <p role="status" className="visually-hidden">
          {describeState(messages.at(-1))}
        </p>
      </footer>
    </>
  )
}

/** A first question that could not be sent comes along with the address of its new chat. */
function useDraft(): string {
  const { state } = useLocation() as { state: { draft?: string | null } | null }
  const [draft] = useState(state?.draft ?? '')
  useEffect(() => {
    // A reload must not bring it back.
    if (draft !== '') window.history.replaceState({ ...window.history.state, usr: null }, '')
  }, [draft])
  return draft
}

interface Cost {
  engine: 'rules' | 'model'
  model: string | null
  credits_per_answer: number
}

function describeCost({ engine, model, credits_per_answer: credits }: Cost): string {
  const who =
    engine === 'model'
      ? `Answered by ${model ?? 'a model'}.`
      : 'Rule-based assistant; connect a model for free-form questions.'
  const cost =
    credits === 0
      ? 'Answers are free.'
      : `An answer costs ${credits} ${credits === 1 ? 'credit' : 'credits'}; failed or stopped answers cost nothing.`
  return `${who} ${cost}`
}

function describeState(last: Message | undefined): string {
  if (!last || last.role === 'user') return ''
  if (isGoing(last)) return 'The answer is being written.'
  return last.status === 'completed' ? 'The answer is complete.' : 'The answer was not completed.'
}
