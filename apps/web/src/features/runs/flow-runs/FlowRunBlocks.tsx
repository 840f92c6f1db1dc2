import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import { Link } from 'react-router'
import { StatusDot } from '../../../ui/feedback/Status.tsx'
import { useDataflowsScope } from '../../dataflows/dataflows.queries.ts'
import styles from './flow-runs.module.css'
import { toDot } from './flow-run-words.ts'

export function FlowRunBlocks({ run }: { run: FlowRun }) {
  const { paths } = useDataflowsScope()
  return (
    <ul className={styles.blockLines} aria-label="Blocks of the run">
      {run.blocks.map((block) => {
        const { word, tone } = toDot(block)
        return (
          <li key={block.task_run_trellis_code}>
            <Link
              to={paths.runLog(run.dataflow_trellis_code, block.task_block_trellis_code, block.task_run_trellis_code)}
            >
              {block.block_name}
            </Link>
            <StatusDot tone={tone}>{word}</StatusDot>
          </li>
        )
      })}
    </ul>
  )
}
