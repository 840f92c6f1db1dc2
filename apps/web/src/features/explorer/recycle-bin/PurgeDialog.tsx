import type { Deletion } from '@trellis/contract/explorer/recycle-bin.schemas'
import { useState } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { formatBytes, formatCount, shortCount } from '../../../ui/data/amounts.ts'
import { TypedConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { usePurgeDeletion } from '../recycle-bin.queries.ts'
import { useExplorer } from '../use-explorer.ts'

export function PurgeDialog({ deletion, onClose }: { deletion: Deletion; onClose: () => void }) {
  const { params } = useExplorer()
  const purge = usePurgeDeletion()
  const [problem, setProblem] = useState<string>()
  const { deletion_code, tables, rows_estimate, size_bytes } = deletion
  const confirm = () =>
    purge.mutate(
      { params: { ...params, deletion_code } },
      { onSuccess: onClose, onError: (error) => setProblem(getErrorDetail(error)) },
    )
  return (
    <TypedConfirmDialog
      title={`Delete ${deletion.table_name ?? deletion.schema_name} for good?`}
      isBusy={purge.isPending}
      error={problem}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {formatCount(tables, 'table or view', 'tables and views')}, about {shortCount(rows_estimate)}{' '}
        {rows_estimate === 1 ? 'row' : 'rows'}, {formatBytes(size_bytes)}. <strong>This can not be undone.</strong>
      </p>
    </TypedConfirmDialog>
  )
}
