import type { TaskRun } from '@trellis/contract/runs/runs.schemas'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import styles from '../runs.module.css'
import { PROBLEM_TITLES } from '../run-words.ts'
import { SchemaDecision } from './SchemaDecision.tsx'

const TONES = { cancelled: 'info', blocked: 'warning', schema_changed: 'warning', rate_limited: 'warning' } as const

interface RunProblemProps {
  run: TaskRun
  address: WorkspaceAddress
  canWrite: boolean
  setupPath: string
  /** Where several blocks are shown. */
  namesBlock?: boolean
  onRun?: ((run: string) => void) | undefined
  onDecide?: (() => void) | undefined
}

/** Not fixable in the block's settings. */
const NOT_OF_THE_BLOCK = new Set(['cancelled', 'blocked'])

export function RunProblem({ run, setupPath, namesBlock = false, ...deciding }: RunProblemProps) {
  const { canWrite } = deciding
  const { problem } = run
  if (!problem) return null
  const title = PROBLEM_TITLES[problem.kind]
  const tone = problem.kind in TONES ? TONES[problem.kind as keyof typeof TONES] : 'danger'
  return (
    <Banner tone={tone} title={[namesBlock && run.block_name, title, problem.subtask].filter(Boolean).join(': ')}>
      {problem.question ? (
        <SchemaDecision run={run} question={problem.question} {...deciding} />
      ) : (
        <>
          <div>{problem.message}</div>
          {problem.advice && <div>{problem.advice}</div>}
        </>
      )}
      <div className={styles.problemActions}>
        {!NOT_OF_THE_BLOCK.has(problem.kind) && (
          <ButtonLink size="sm" to={setupPath}>
            {canWrite ? 'Open the settings' : 'Look at the settings'}
          </ButtonLink>
        )}
      </div>
    </Banner>
  )
}
