import styles from './ai.module.css'
import { useStarterQuestions } from './ai-projects.queries.ts'
import { useAi } from './use-ai.ts'

interface ExampleQuestionsProps {
  project: string
  isDisabled: boolean
  onAsk: (question: string) => void
}

export function ExampleQuestions({ project, isDisabled, onAsk }: ExampleQuestionsProps) {
  const { params } = useAi()
  const questions = useStarterQuestions(params, project).data?.questions ?? []
  if (questions.length === 0) return null
  return (
    <ul aria-label="Example questions" className={styles.examples}>
      {questions.map((question) => (
        <li key={question}>
          <button type="button" className={styles.example} disabled={isDisabled} onClick={() => onAsk(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}
