import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import { useState } from 'react'
import { detailOf } from '../../../api/api-error.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import styles from '../runs.module.css'
import { PROBLEM_TITLES } from '../run-words.ts'
import { useExecuteBlock, type WorkspaceAddress } from '../../../running/running.queries.ts'

const TONES = { cancelled: 'info', blocked: 'warning', schema_changed: 'warning', rate_limited: 'warning' } as const

interface RunProblemProps {
  run: TaskRun
  address: WorkspaceAddress
  canWrite: boolean
  setupPath: string
}

/** Kinds that nothing in the settings of the block could mend. */
const NOT_OF_THE_BLOCK = new Set(['cancelled', 'blocked'])

/** Why it failed and what to do about it. */
export function RunProblem({ run, address, canWrite, setupPath }: RunProblemProps) {
  const { problem } = run
  if (!problem) return null
  const tone = problem.kind in TONES ? TONES[problem.kind as keyof typeof TONES] : 'danger'
  return (
    <Banner
      tone={tone}
      title={problem.subtask ? `${PROBLEM_TITLES[problem.kind]}: ${problem.subtask}` : PROBLEM_TITLES[problem.kind]}
    >
      <div>{problem.message}</div>
      {problem.advice && <div>{problem.advice}</div>}
      <div className={styles.problemActions}>
        {problem.kind === 'schema_changed' && canWrite && <AcceptChanges run={run} address={address} />}
        {!NOT_OF_THE_BLOCK.has(problem.kind) && (
          <ButtonLink size="sm" to={setupPath}>
            {canWrite ? 'Open the settings' : 'Look at the settings'}
          </ButtonLink>
        )}
      </div>
    </Banner>
  )
}

function AcceptChanges({ run, address }: { run: TaskRun; address: WorkspaceAddress }) {
  const [isAsking, setAsking] = useState(false)
  const execute = useExecuteBlock()
  const params = { ...address, task_block_trellis_code: run.task_block_trellis_code }
  const accept = () =>
    execute.mutate(
      { params, body: { accepts_changes: true, scope: 'from_here' } },
      {
        onSuccess: () => {
          setAsking(false)
          showToast({ tone: 'success', text: 'The changes are made with a new run.' })
        },
      },
    )
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        Accept the changes
      </Button>
      {isAsking && (
        <ConfirmDialog
          title="Change the columns and run again?"
          confirmLabel="Change and run"
          isBusy={execute.isPending}
          error={execute.error ? detailOf(execute.error) : undefined}
          onConfirm={accept}
          onClose={() => setAsking(false)}
        >
          <p>{problemText(run)}</p>
          <p>
            The table gets these columns and types, then {run.block_name} and every block that waits for it run. Rolling
            back the run removes its rows, not the columns.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

const problemText = (run: TaskRun): string => run.problem?.message ?? ''
