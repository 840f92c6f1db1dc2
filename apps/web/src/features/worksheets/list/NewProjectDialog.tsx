import { getErrorDetail } from '../../../api/api-error.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { useCreateProject } from '../worksheets.queries.ts'
import { NameDialog } from './NameDialog.tsx'

export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const { params } = useWorksheets()
  const create = useCreateProject()
  return (
    <NameDialog
      title="New project"
      label="Project name"
      action="Create project"
      first=""
      isBusy={create.isPending}
      error={create.isError ? getErrorDetail(create.error) : undefined}
      onSubmit={(name) => create.mutate({ params, body: { name } }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
