import { useMemo } from 'react'
import { useParams } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { useConversation } from '../conversations.queries.ts'
import { useAi } from '../use-ai.ts'
import { Conversation } from './Conversation.tsx'
import styles from './conversation.module.css'

export function Component() {
  const { params, paths } = useAi()
  const { conversation: code = '' } = useParams()
  const chatParams = useMemo(() => ({ ...params, conversation_trellis_code: code }), [params, code])
  const conversation = useConversation(chatParams)
  return (
    <div className={styles.page}>
      <Loaded
        query={conversation}
        subject="The chat"
        notFoundLink={<ButtonLink to={paths.chats}>Show chats</ButtonLink>}
      >
        {(conversation) => <Conversation key={code} params={chatParams} conversation={conversation} />}
      </Loaded>
    </div>
  )
}
