import type { ProjectFiles } from '@trellis/contract/worksheets/worksheets.schemas'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type * as z from 'zod/mini'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Select } from '../../../ui/forms/Select.tsx'
import { useWorksheets } from '../use-worksheets.ts'
import { useCreateWorksheet } from '../worksheets.queries.ts'
import { NameDialog } from './NameDialog.tsx'

interface NewWorksheetDialogProps {
  projects: readonly z.infer<typeof ProjectFiles>[]
  onClose: () => void
}

export function NewWorksheetDialog({ projects, onClose }: NewWorksheetDialogProps) {
  const { params, paths } = useWorksheets()
  const navigate = useNavigate()
  const create = useCreateWorksheet()
  const [projectId, setProjectId] = useState(projects[0]?.project_id ?? '')
  const open = (name: string) =>
    create.mutate(
      { params, body: { project_id: projectId, name: /\.\w+$/.test(name) ? name : `${name}.sql` } },
      {
        onSuccess: (file) =>
          void navigate(
            paths.worksheet({ projectId, folderId: file.folder_id, fileId: file.file_id, name: file.name }),
          ),
      },
    )
  return (
    <NameDialog
      title="New worksheet"
      label="Name"
      action="Create worksheet"
      first=""
      isBusy={create.isPending}
      error={create.isError ? getErrorDetail(create.error) : undefined}
      onSubmit={open}
      onClose={onClose}
    >
      {projects.length > 1 && (
        <Select
          label="Project"
          value={projectId}
          options={projects.map(({ project_id, name }) => ({ value: project_id, label: name }))}
          onChange={(event) => setProjectId(event.target.value)}
        />
      )}
    </NameDialog>
  )
}
