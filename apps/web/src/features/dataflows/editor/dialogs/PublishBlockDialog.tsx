import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import PublishAllDialog from './PublishAllDialog.tsx'
import type { DialogProps } from './CanvasDialogs.tsx'

export default function PublishBlockDialog({ block, onReload, onClose }: DialogProps & { block: BlockCard }) {
  return <PublishAllDialog blocks={[block]} onDone={onReload} onClose={onClose} />
}
