import { FileClock } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { useUploadTasks } from '../documents/documents.queries.ts'
import { ScheduledQuestionsCard } from '../schedules/ScheduledQuestionsCard.tsx'
import { useScheduledQuestions } from '../schedules/scheduled-questions.queries.ts'
import styles from '../schedules/schedules.module.css'
import { useAi } from '../use-ai.ts'
import { DocumentJobsCard } from './DocumentJobsCard.tsx'

export function Component() {
  const { params, paths } = useAi()
  const [page, setPage] = useState(1)
  const scheduled = useScheduledQuestions(params)
  const tasks = useUploadTasks(params, page)
  return (
    <Loaded query={scheduled} subject="The scheduled questions">
      {({ questions }) => (
        <div className={styles.cards}>
          {questions.length > 0 && <ScheduledQuestionsCard questions={questions} />}
          <Loaded query={tasks} subject="The document jobs">
            {({ items, pages, total }) => {
              if (total > 0) return <DocumentJobsCard tasks={items} page={page} pages={pages} onPage={setPage} />
              return questions.length > 0 ? null : (
                <EmptyState
                  icon={<FileClock aria-hidden />}
                  title="No jobs yet"
                  subtitle="Scheduled questions and documents that are read for your AI projects are listed here. Schedule a question from its answer in a chat."
                  action={<ButtonLink to={paths.chats}>Show chats</ButtonLink>}
                />
              )
            }}
          </Loaded>
        </div>
      )}
    </Loaded>
  )
}
