import { FileClock } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from '../ai.module.css'
import { useUploadTasks } from '../documents/documents.queries.ts'
import { TASK_STATUSES } from '../documents/task-status.ts'
import { Pager } from '../Pager.tsx'
import { useAi } from '../use-ai.ts'

/** What the assistant does beside answers: documents being read. */
export function Component() {
  const { params, paths } = useAi()
  const [page, setPage] = useState(1)
  const tasks = useUploadTasks(params, page)
  return (
    <Loaded query={tasks} what="The jobs">
      {({ items, pages, total }) =>
        total === 0 ? (
          <EmptyState
            icon={<FileClock aria-hidden />}
            title="No jobs yet"
            subtitle="Documents that are read for your AI projects are listed here with their status."
            action={<ButtonLink to={paths.projects}>Show projects</ButtonLink>}
          />
        ) : (
          <Card isFlush title="Documents">
            <ul aria-label="Document jobs" className={styles.list}>
              {items.map(({ task_id, name, status, problem, created_at, finished_at }) => (
                <li key={task_id} className={styles.line}>
                  <span>
                    {name}
                    {problem !== null && <span className={styles.facts}> {problem}</span>}
                  </span>
                  <span className={styles.facts}>
                    <StatusDot tone={TASK_STATUSES[status].tone} isBusy={status === 'in_progress'}>
                      {TASK_STATUSES[status].word}
                    </StatusDot>{' '}
                    <DateTime value={finished_at ?? created_at} format="recent" />
                  </span>
                </li>
              ))}
            </ul>
            <Pager page={page} pages={pages} onPage={setPage} />
          </Card>
        )
      }
    </Loaded>
  )
}
