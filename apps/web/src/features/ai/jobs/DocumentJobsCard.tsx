import type { UploadTask } from '@trellis/contract/ai/documents.schemas'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from '../ai.module.css'
import { useCancelTask, useRetryTask } from '../documents/documents.queries.ts'
import { TASK_STATUSES } from '../documents/task-status.ts'
import { Pager } from '../Pager.tsx'
import { useAi } from '../use-ai.ts'

interface DocumentJobsCardProps {
  tasks: readonly UploadTask[]
  page: number
  pages: number
  onPage: (page: number) => void
}

export function DocumentJobsCard({ tasks, page, pages, onPage }: DocumentJobsCardProps) {
  const { params } = useAi()
  const cancel = useCancelTask()
  const retry = useRetryTask()
  return (
    <Card isFlush title="Documents">
      <ul aria-label="Document jobs" className={styles.list}>
        {tasks.map(({ task_id, name, status, problem, can_retry, created_at, finished_at }) => (
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
              {status === 'in_progress' && (
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Cancel reading ${name}`}
                  onClick={() => cancel.mutate({ params: { ...params, task_id } })}
                >
                  Cancel
                </Button>
              )}
              {can_retry && (
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Retry ${name}`}
                  onClick={() => retry.mutate({ params: { ...params, task_id } })}
                >
                  Retry
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Pager page={page} pages={pages} onPage={onPage} />
    </Card>
  )
}
