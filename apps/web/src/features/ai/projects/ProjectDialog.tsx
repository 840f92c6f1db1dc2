import type { AiProject } from '@trellis/contract/ai/ai.schemas'
import { useState } from 'react'
import { ApiError, getErrorDetail, getErrorField } from '../../../api/api-error.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { SubmitDialog } from '../../../ui/forms/SubmitDialog.tsx'
import { TextArea, TextField } from '../../../ui/forms/TextField.tsx'
import { useCreateAiProject, useUpdateAiProject } from '../ai-projects.queries.ts'
import { useAi } from '../use-ai.ts'

interface ProjectDialogProps {
  project?: AiProject
  onSaved: (project: AiProject) => void
  onClose: () => void
}

export function ProjectDialog({ project, onSaved, onClose }: ProjectDialogProps) {
  const { params } = useAi()
  const [name, setName] = useState(project?.name ?? '')
  const [description, setDescription] = useState(project?.description ?? '')
  const create = useCreateAiProject()
  const update = useUpdateAiProject()
  const { isPending, error } = project ? update : create
  const canSave = name.trim() !== '' && !isPending
  const save = () => {
    const body = { name: name.trim(), description: description.trim() }
    if (!project) return create.mutate({ params, body }, { onSuccess: onSaved })
    const { project_trellis_code } = project
    update.mutate({ params: { ...params, project_trellis_code }, body }, { onSuccess: onSaved })
  }
  const isAboutName = error instanceof ApiError && getErrorField(error) === 'name'
  return (
    <SubmitDialog
      title={project ? 'Edit project' : 'New AI project'}
      submitLabel={project ? 'Save' : 'Create project'}
      isBusy={isPending}
      canSubmit={canSave}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={200}
        autoComplete="off"
        error={isAboutName ? error.detail : undefined}
        onChange={(event) => setName(event.target.value)}
        data-autofocus
      />
      <TextArea
        label="Description"
        isOptional
        rows={3}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      {error && !isAboutName && <Banner tone="danger">{getErrorDetail(error)}</Banner>}
    </SubmitDialog>
  )
}
