import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { useNavigate } from 'react-router'
import { Button } from '../../../../ui/actions/Button.tsx'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { Tooltip } from '../../../../ui/overlays/Tooltip.tsx'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { useRunBlock } from '../setup.queries.ts'

interface ShadowRunProps {
  block: Pick<BlockCard, 'task_block_trellis_code' | 'dataflow_trellis_code' | 'name'>
  isDisabled: boolean
}

export function ShadowRun({ block, isDisabled }: ShadowRunProps) {
  const { address, paths } = useDataflowsScope()
  const navigate = useNavigate()
  const run = useRunBlock()
  const { task_block_trellis_code: code, dataflow_trellis_code: dataflow } = block
  const start = () =>
    run.mutate(
      { params: { ...address, task_block_trellis_code: code }, body: { is_shadow: true } },
      {
        onSuccess: (startedRun) => {
          showToast({ tone: 'success', text: `The dry run of ${block.name} began.` })
          void navigate(`${paths.blockLogs(dataflow, code)}?run=${startedRun.task_run_trellis_code}`)
        },
        onError: (error) => showToast({ tone: 'danger', text: error.message }),
      },
    )
  return (
    <Tooltip text="Runs the draft without changing any table, and shows what would be different.">
      <Button disabled={isDisabled} isBusy={run.isPending} onClick={start}>
        Dry run
      </Button>
    </Tooltip>
  )
}
