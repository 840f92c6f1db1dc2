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
  const place = useMemo(() => ({ ...params, conversation_trellis_code: code }), [params, code])
  const conversation = useConversation(place)
  return (
    <div className={styles.page}>
      <Loaded query={conversation} what="The chat" elsewhere={<ButtonLink to={paths.chats}>Show chats</ButtonLink>}>
        {(found) => <Conversation key={code} params={place} conversation={found} />}
      </Loaded>
    </div>
  )
}
