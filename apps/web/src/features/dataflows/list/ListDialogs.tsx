import type { Folder } from '@trellis/contract/dataflows/dataflows.schemas'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { ListDialogContext, type ListRequest } from './list-dialogs.ts'

const NameDialogs = lazy(() => import('./NameDialogs.tsx'))
const MoveDialog = lazy(() => import('./MoveDialog.tsx'))
const DeleteDialogs = lazy(() => import('./DeleteDialogs.tsx'))
const ImportDialog = lazy(() => import('./ImportDialog.tsx'))
const WebhookDialog = lazy(() => import('../webhook/WebhookDialog.tsx'))
const SettingsDialog = lazy(async () => {
  const { DataflowSettingsDialog } = await import('../setup/dataflow-settings/DataflowSettingsDialog.tsx')
  return { default: DataflowSettingsDialog }
})

export function ListDialogs({ folders, children }: { folders: readonly Folder[]; children: ReactNode }) {
  const [request, setRequest] = useState<ListRequest | null>(null)
  const onClose = () => setRequest(null)
  return (
    <ListDialogContext value={setRequest}>
      {children}
      {request && (
        <Suspense>
          <Requested request={request} folders={folders} onClose={onClose} />
        </Suspense>
      )}
    </ListDialogContext>
  )
}

interface RequestedProps {
  request: ListRequest
  folders: readonly Folder[]
  onClose: () => void
}

function Requested({ request, folders, onClose }: RequestedProps) {
  switch (request.kind) {
    case 'import':
      return <ImportDialog folder={request.folder} over={request.over} onClose={onClose} />
    case 'settings':
      return <SettingsDialog dataflow={request.dataflow.trellis_code} onClose={onClose} />
    case 'inbound-webhook':
      return <WebhookDialog dataflow={request.dataflow} onClose={onClose} />
    case 'move-dataflow':
    case 'move-folder':
      return <MoveDialog request={request} folders={folders} onClose={onClose} />
    case 'delete-dataflow':
    case 'delete-folder':
      return <DeleteDialogs request={request} onClose={onClose} />
    default:
      return <NameDialogs request={request} onClose={onClose} />
  }
}
