import aiStyles from '../../ai.module.css'
import { useConversationQuestion, useCanAsk } from '../conversation-question.ts'

export function FollowUps({ questions }: { questions: readonly string[] }) {
  const { ask } = useConversationQuestion()
  const canAsk = useCanAsk()
  if (questions.length === 0) return null
  return (
    <ul aria-label="Follow-up questions" className={aiStyles.examples}>
      {questions.map((question) => (
        <li key={question}>
          <button type="button" className={aiStyles.example} disabled={!canAsk} onClick={() => ask(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}
