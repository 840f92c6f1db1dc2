import type { FileLine } from '@trellis/contract/worksheets/worksheets.schemas'
import { getErrorDetail } from '../../../api/api-error.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { useRenameWorksheet } from '../worksheets.queries.ts'
import { NameDialog } from './NameDialog.tsx'

export function RenameDialog({ projectId, file, onClose }: { projectId: string; file: FileLine; onClose: () => void }) {
  const { params } = useWorksheets()
  const rename = useRenameWorksheet()
  return (
    <NameDialog
      title="Rename worksheet"
      label="Name"
      action="Rename"
      first={file.name}
      isBusy={rename.isPending}
      error={rename.isError ? getErrorDetail(rename.error) : undefined}
      onSubmit={(name) =>
        rename.mutate({ params, body: { project_id: projectId, file_id: file.file_id, name } }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  )
}
