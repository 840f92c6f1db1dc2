import { Loaded } from '../../../app/loading/Loaded.tsx'
import { type ChatParams, useEarlierMessages } from '../conversations.queries.ts'
import { type ConversationAsking, MessageList } from './MessageList.tsx'

interface EarlierMessagesProps {
  params: ChatParams
  page: number
  asking: ConversationAsking
}

export default function EarlierMessages({ params, page, asking }: EarlierMessagesProps) {
  const messages = useEarlierMessages(params, page)
  return (
    <Loaded query={messages} subject="The earlier messages" skeletonHeights={[72]}>
      {(conversation) => <MessageList params={params} messages={conversation.messages} asking={asking} />}
    </Loaded>
  )
}
