import { lazy, Suspense } from 'react'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import type { CanvasRequest } from '../canvas-requests.ts'
import type { DialogProps } from './dialog-props.ts'

const AddBlockDialog = lazy(() => import('./AddBlockDialog.tsx'))
const ArrowsDialog = lazy(() => import('./ArrowsDialog.tsx'))
const BlockTextDialog = lazy(() => import('./BlockTextDialog.tsx'))
const GroupDialog = lazy(() => import('./GroupDialog.tsx'))
const AddToGroupDialog = lazy(() => import('./AddToGroupDialog.tsx'))
const PublishDialog = lazy(() => import('../../setup/publish/PublishDialog.tsx'))
const RunDialog = lazy(() => import('../../../../running/run/RunDialog.tsx'))
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx'))
const TriggerPanel = lazy(() => import('../../../../running/triggers/TriggerPanel.tsx'))

export function CanvasDialogs({ request, ...props }: DialogProps & { request: CanvasRequest }) {
  return (
    <Suspense>
      <Requested request={request} {...props} />
    </Suspense>
  )
}

function Requested({ request, ...props }: DialogProps & { request: CanvasRequest }) {
  const { address, paths } = useDataflowsScope()
  switch (request.kind) {
    case 'add':
      return <AddBlockDialog {...props} after={request.after} point={request.point} />
    case 'connect':
      return <ArrowsDialog {...props} block={request.block} />
    case 'rename':
    case 'note':
      return <BlockTextDialog {...props} request={request} />
    case 'group':
      return <GroupDialog {...props} codes={request.codes} group={request.group} />
    case 'add-to-group':
      return <AddToGroupDialog {...props} codes={request.codes} />
    case 'publish':
      return <PublishDialog block={request.block} onClose={props.onClose} onPublished={props.onReload} />
    case 'run':
      return (
        <RunDialog
          address={address}
          blocks={[request.block]}
          watchPath={paths.logs(props.canvas.dataflow_trellis_code)}
          onStarted={props.onReload}
          onClose={props.onClose}
        />
      )
    case 'trigger':
      return (
        <TriggerPanel
          address={address}
          block={request.block.task_block_trellis_code}
          blocks={props.canvas.blocks}
          onClose={props.onClose}
        />
      )
    case 'shortcuts':
      return <ShortcutsDialog onClose={props.onClose} />
  }
}
