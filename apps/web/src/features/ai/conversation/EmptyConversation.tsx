import { Sparkles } from 'lucide-react'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { ExampleQuestions } from '../ExampleQuestions.tsx'
import { useAi } from '../use-ai.ts'

interface EmptyConversationProps {
  project: string
  tableCount: number | undefined
  isDisabled: boolean
  onAsk: (question: string) => void
}

export default function EmptyConversation({ project, tableCount, isDisabled, onAsk }: EmptyConversationProps) {
  const { paths, can } = useAi()
  if (tableCount === 0) {
    return (
      <EmptyState
        icon={<Sparkles aria-hidden />}
        title="No tables chosen yet"
        subtitle={
          can('ai:write')
            ? 'Choose the tables this project may read, then ask.'
            : 'Ask an editor or admin to choose the tables this project may read.'
        }
        action={
          can('ai:write') && (
            <ButtonLink variant="primary" to={paths.project(project)}>
              Choose tables
            </ButtonLink>
          )
        }
      />
    )
  }
  return (
    <EmptyState
      icon={<Sparkles aria-hidden />}
      title="Ask about your data"
      subtitle="Name what you want to see, by what, and when: “revenue by country last 30 days top 5”."
      action={<ExampleQuestions project={project} isDisabled={isDisabled} onAsk={onAsk} />}
    />
  )
}
