import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import { getStatusLabel } from './run-words.ts'

export function RunStatus({
  run,
}: {
  run: Pick<TaskRun, 'status' | 'waiting_for' | 'problem' | 'retry_at' | 'started_at'>
}) {
  const { label, tone, isOpen } = getStatusLabel(run)
  return (
    <StatusDot tone={tone} isBusy={isOpen && run.started_at !== null && run.retry_at === null}>
      {label}
    </StatusDot>
  )
}
