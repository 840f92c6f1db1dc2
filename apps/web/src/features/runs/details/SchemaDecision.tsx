import type { SCHEMA_CHOICES, SchemaQuestion, TaskRun } from '@trellis/contract/runs/runs.schemas'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { isWaitingForDecision } from '../run-words.ts'
import { useDecideSchemaChange } from '../retry-run.queries.ts'
import styles from '../runs.module.css'

type Choice = (typeof SCHEMA_CHOICES)[number]
const DECISION_LABELS: Record<Choice, string> = {
  accept: 'accepted the changes',
  keep: 'kept the table as it is',
}

interface DecisionProps {
  run: TaskRun
  question: SchemaQuestion
  address: WorkspaceAddress
  canWrite: boolean
  onRun?: ((run: string) => void) | undefined
  /** As soon as an answer is chosen. */
  onDecide?: (() => void) | undefined
}

export function SchemaDecision({ run, question, address, canWrite, onRun, onDecide }: DecisionProps) {
  const { changes, decision } = question
  // Not in the question: it may be gone before the answer arrives, and with it what follows the answer.
  const decide = useDecideSchemaChange()
  const params = { ...address, task_run_trellis_code: run.task_run_trellis_code }
  const decideChange = (choice: Choice) => {
    onDecide?.()
    decide.mutate({ params, body: { choice } }, { onSuccess: (next) => onRun?.(next.task_run_trellis_code) })
  }
  return (
    <>
      <ul className={styles.changes} aria-label="Changed columns">
        {changes.map(({ id, in_words: words, if_kept: kept, held }) => (
          <li key={id}>
            {words}
            {held && <span> {held.in_words}</span>}
            {question.can_keep && <span> Kept as it is: {kept}</span>}
          </li>
        ))}
      </ul>
      {decision ? (
        <div>
          <DecisionSummary decision={decision} />
        </div>
      ) : !isWaitingForDecision(run) ? (
        <div>There is nothing to decide any more: the block was run again or deleted.</div>
      ) : (
        <Question question={question} canWrite={canWrite} isBusy={decide.isPending} onAnswer={decideChange} />
      )}
    </>
  )
}

export const DecisionSummary = ({ decision }: { decision: NonNullable<SchemaQuestion['decision']> }) => (
  <>
    {decision.who ?? 'Somebody'} {DECISION_LABELS[decision.choice]} <DateTime value={decision.at} />.
  </>
)

interface QuestionProps extends Pick<DecisionProps, 'question' | 'canWrite'> {
  isBusy: boolean
  onAnswer: (choice: Choice) => void
}

function Question({ question, canWrite, isBusy, onAnswer }: QuestionProps) {
  const isHeld = question.changes.some(({ held }) => held)
  if (!canWrite) return <div>The run is paused. An editor or an admin of this workspace has to decide.</div>
  return (
    <>
      <div>
        The run is paused before anything was written to this table. After either answer it continues from here.
      </div>
      <div className={styles.problemActions}>
        <Button size="sm" variant={isHeld ? 'secondary' : 'primary'} isBusy={isBusy} onClick={() => onAnswer('accept')}>
          {isHeld ? 'Check again and accept' : 'Accept and continue'}
        </Button>
        {question.can_keep && (
          <Button size="sm" disabled={isBusy} onClick={() => onAnswer('keep')}>
            Keep the table and continue
          </Button>
        )}
      </div>
    </>
  )
}
