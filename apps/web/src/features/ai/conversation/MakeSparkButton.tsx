import type { Message } from '@trellis/contract/ai/ai.schemas'
import { Sparkle } from 'lucide-react'
import { useNavigate } from 'react-router'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { useCreateSpark } from '../../sparks/sparks.queries.ts'
import type { ChatParams } from '../conversations.queries.ts'
import { useAi } from '../use-ai.ts'
import { useConversationQuestion } from './conversation-question.ts'

const MAX_NAME = 200

export function MakeSparkButton({ params: chat, message }: { params: ChatParams; message: Message }) {
  const { params, paths, can } = useAi()
  const { question, project } = useConversationQuestion()
  const navigate = useNavigate()
  const create = useCreateSpark()
  const hasRows = message.parts.some(({ kind }) => kind === 'table')
  if (!hasRows || !can('ai:write')) return null
  const make = () =>
    create.mutate(
      {
        params,
        body: {
          project_trellis_code: project,
          name: question.trim().slice(0, MAX_NAME) || 'Answer',
          origin: {
            kind: 'answer',
            conversation_trellis_code: chat.conversation_trellis_code,
            message_trellis_code: message.message_trellis_code,
          },
        },
      },
      { onSuccess: (spark) => void navigate(paths.page(`sparks/${spark.spark_trellis_code}`)) },
    )
  return (
    <IconButton
      size="sm"
      label="Create a spark"
      icon={<Sparkle aria-hidden />}
      disabled={create.isPending}
      onClick={make}
    />
  )
}
