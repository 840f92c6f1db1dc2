import type { Message } from '@trellis/contract/ai/ai.schemas'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { usePageActions } from '../../../app/palette/page-actions.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import {
  type ChatParams,
  isOutOfCredits,
  type StoredConversation,
  useAppendMessages,
  useCancelAnswer,
  useConversationMetadata,
  useRefreshChats,
  useReplaceMessage,
  useSendMessage,
} from '../conversations.queries.ts'
import { useAttachFiles } from '../documents/documents.queries.ts'
import { Attachments } from '../composer/Attachments.tsx'
import { type Engine, EngineChoice } from '../composer/EngineChoice.tsx'
import { QuestionBox } from '../composer/QuestionBox.tsx'
import { CanAskScope, type Choices } from './conversation-question.ts'
import { ConversationHead } from './ConversationHead.tsx'
import { MessageList } from './MessageList.tsx'
import { isGoing } from './use-follow-answer.ts'
import { useStayAtEnd } from './use-stay-at-end.ts'
import styles from './conversation.module.css'

const NO_CHOICES: Choices = {}

const EmptyConversation = lazy(() => import('./EmptyConversation.tsx'))
const EarlierMessages = lazy(() => import('./EarlierMessages.tsx'))
const CreditsNotice = lazy(() => import('../composer/CreditsNotice.tsx'))

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
  const attach = useAttachFiles()
  const sentChoices = useRef(new Map<string, Choices>())
  const { draft, ...first } = useFirstQuestion()
  const [engine, setEngine] = useState<Engine>(first.engine)
  const [needsCredits, setNeedsCredits] = useState(first.needsCredits)
  const going = messages.findLast((message) => message.role === 'assistant' && isGoing(message)) ?? null
  useRefreshChats(going?.message_trellis_code)
  const { scroller, goToEnd } = useStayAtEnd(messages.at(-1)?.sha)

  const ask = async (text: string, choices?: Choices): Promise<boolean> => {
    try {
      const body = { text, ...(choices && { choices }), ...(engine === 'rules' && { engine }) }
      const { question, answer } = await send.mutateAsync({ params, body })
      setNeedsCredits(false)
      if (choices) sentChoices.current.set(answer.message_trellis_code, choices)
      append(question, answer)
      goToEnd()
      return true
    } catch (error) {
      setNeedsCredits(isOutOfCredits(error))
      return false
    }
  }
  const latestAsk = useRef(ask)
  useEffect(() => {
    latestAsk.current = ask
  })
  const askFromAnswer = useCallback((text: string, choices?: Choices) => void latestAsk.current(text, choices), [])
  const chooseEngine = (next: Engine) => {
    setEngine(next)
    setNeedsCredits(false)
  }
  const stop = going
    ? () => {
        const { message_trellis_code } = going
        cancel.mutate({ params: { ...params, message_trellis_code } }, { onSuccess: replace })
      }
    : undefined
  usePageActions(stop ? [{ id: 'stop-answer', title: 'Stop answer', run: stop }] : [])
  const canAsk = going === null && !send.isPending
  const asking = {
    project,
    ask: askFromAnswer,
    getChoices: (message: Message) => sentChoices.current.get(message.message_trellis_code) ?? NO_CHOICES,
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
          <CanAskScope value={canAsk}>
            <Suspense>
              {Array.from({ length: Math.max(0, page - firstPage) }, (_, index) => (
                <EarlierMessages key={firstPage + index} params={params} page={firstPage + index} asking={asking} />
              ))}
            </Suspense>
            <MessageList params={params} messages={messages} asking={asking} />
          </CanAskScope>
          {messages.length === 0 && (
            <Suspense>
              <EmptyConversation
                project={project}
                tableCount={metadata?.table_count}
                isDisabled={!canAsk}
                onAsk={asking.ask}
              />
            </Suspense>
          )}
        </div>
      </div>
      <footer className={styles.foot}>
        <Suspense>
          {needsCredits && (
            <CreditsNotice account={params.account_trellis_code} onUseRules={() => chooseEngine('rules')} />
          )}
        </Suspense>
        <Attachments params={params} />
        <QuestionBox
          first={draft}
          last={messages.findLast(({ role }) => role === 'user')?.text ?? ''}
          isBusy={send.isPending}
          onStop={stop}
          onAsk={(text) => ask(text)}
          isAttaching={attach.isPending}
          onAttach={(files) => attach.mutate({ params, files })}
        />
        {metadata ? (
          <EngineChoice answering={metadata} engine={engine} onChange={chooseEngine} />
        ) : (
          <p className={styles.note} />
        )}
        <p role="status" className="visually-hidden">
          {describeState(messages.at(-1))}
        </p>
      </footer>
    </>
  )
}

interface FirstQuestion {
  draft?: string | null
  needsCredits?: boolean
  engine?: Engine
}

/** State from the page that started the chat: an unsent question, its error, and the engine. */
function useFirstQuestion(): Required<FirstQuestion> & { draft: string } {
  const { state } = useLocation() as { state: FirstQuestion | null }
  const [first] = useState({
    draft: state?.draft ?? '',
    needsCredits: state?.needsCredits ?? false,
    engine: state?.engine ?? 'model',
  })
  useEffect(() => {
    // Cleared, so that a reload does not restore it.
    if (first.draft !== '') window.history.replaceState({ ...window.history.state, usr: null }, '')
  }, [first])
  return first
}

function describeState(last: Message | undefined): string {
  if (!last || last.role === 'user') return ''
  if (isGoing(last)) return 'The answer is being written.'
  return last.status === 'completed' ? 'The answer is complete.' : 'The answer was not completed.'
}
