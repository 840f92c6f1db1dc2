import { useState } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { Select } from '../../ui/forms/Select.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { RunForm } from './RunForm.tsx'
import type { RunDialogProps } from './run-request.ts'

export default function RunDialog({ address, blocks, onClose, ...rest }: RunDialogProps) {
  const runnable = blocks.filter(({ published_version }) => published_version !== null)
  const first = runnable.find(({ waits_for }) => !waits_for?.length) ?? runnable[0]
  const [selected, setSelected] = useState(first?.task_block_trellis_code)
  const block = runnable.find((runnableBlock) => runnableBlock.task_block_trellis_code === selected)
  if (!block)
    return (
      <Dialog title="Run" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
        <p>
          Only what is published runs. {blocks.length === 1 ? 'Publish this block first.' : 'Publish a block first.'}
        </p>
      </Dialog>
    )
  return (
    <RunForm key={block.task_block_trellis_code} address={address} block={block} onClose={onClose} {...rest}>
      {blocks.length > 1 && (
        <Select
          label="Block"
          value={block.task_block_trellis_code}
          options={blocks.map((runnableBlock) => ({
            value: runnableBlock.task_block_trellis_code,
            label:
              runnableBlock.published_version === null ? `${runnableBlock.name} (not published)` : runnableBlock.name,
            isDisabled: runnableBlock.published_version === null,
          }))}
          onChange={(event) => setSelected(event.target.value)}
        />
      )}
    </RunForm>
  )
}
