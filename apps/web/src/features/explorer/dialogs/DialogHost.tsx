import { lazy, Suspense, useState, type ReactNode } from 'react'
import { DialogContext, type DialogRequest } from './dialog-context.ts'

const CreateSchemaDialog = lazy(() => import('./CreateSchemaDialog.tsx'))
const CreateTableDialog = lazy(() => import('./CreateTableDialog.tsx'))
const RenameDialog = lazy(() => import('./RenameDialog.tsx'))
const DeleteDialog = lazy(() => import('./DeleteDialog.tsx'))
const ExportDialog = lazy(() => import('../exports/ExportDialog.tsx'))
const ExportsPanel = lazy(() => import('../exports/ExportsPanel.tsx'))
const TableLabelsDialog = lazy(() => import('../labels/TableLabelsDialog.tsx'))
const LabelsDialog = lazy(() => import('../labels/LabelsDialog.tsx'))

export function DialogHost({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<DialogRequest | null>(null)
  return (
    <DialogContext value={setRequest}>
      {children}
      {request && (
        <Suspense>
          <Requested request={request} onClose={() => setRequest(null)} onOther={setRequest} />
        </Suspense>
      )}
    </DialogContext>
  )
}

interface RequestedProps {
  request: DialogRequest
  onClose: () => void
  onOther: (request: DialogRequest) => void
}

function Requested({ request, onClose, onOther }: RequestedProps) {
  switch (request.kind) {
    case 'create-schema':
      return <CreateSchemaDialog database={request.database} onClose={onClose} />
    case 'create-table':
      return <CreateTableDialog address={request.address} onClose={onClose} />
    case 'rename':
      return <RenameDialog address={request.address} onClose={onClose} />
    case 'delete':
      return <DeleteDialog address={request.address} onClose={onClose} />
    case 'export':
      return <ExportDialog address={request.address} view={request.view} onClose={onClose} />
    case 'exports':
      return <ExportsPanel onClose={onClose} />
    case 'table-labels':
      return (
        <TableLabelsDialog address={request.address} onClose={onClose} onManage={() => onOther({ kind: 'labels' })} />
      )
    case 'labels':
      return <LabelsDialog onClose={onClose} />
  }
}
