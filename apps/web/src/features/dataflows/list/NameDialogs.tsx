import { CreateFolder } from '@trellis/contract/dataflows/dataflows.schemas'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { ApiError, getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Form, FormActions, FormTextField, showServerError, SubmitButton } from '../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import {
  useCreateDataflow,
  useCreateFolder,
  useDataflowsScope,
  useUpdateDataflow,
  useUpdateFolder,
} from '../dataflows.queries.ts'
import type { ListRequest } from './list-dialogs.ts'

const NameForm = z.pick(CreateFolder, { name: true })

type NameRequest = Extract<
  ListRequest,
  { kind: 'create-dataflow' | 'create-folder' | 'rename-dataflow' | 'rename-folder' }
>

const TITLES = {
  'create-dataflow': 'Create a dataflow',
  'create-folder': 'Create a folder',
  'rename-dataflow': 'Rename the dataflow',
  'rename-folder': 'Rename the folder',
} as const

export default function NameDialogs({ request, onClose }: { request: NameRequest; onClose: () => void }) {
  const { address, paths } = useDataflowsScope()
  const navigate = useNavigate()
  const createDataflow = useCreateDataflow()
  const createFolder = useCreateFolder()
  const updateDataflow = useUpdateDataflow()
  const updateFolder = useUpdateFolder()
  const [problem, setProblem] = useState<string>()
  const isNew = request.kind === 'create-dataflow' || request.kind === 'create-folder'
  const form = useSchemaForm(NameForm, { name: nameIn(request) })

  const save = async (name: string) => {
    if (request.kind === 'create-dataflow') {
      const created = await createDataflow.mutateAsync({
        params: address,
        body: { name, folder_trellis_code: request.folder },
      })
      await navigate(paths.editor(created.trellis_code))
    } else if (request.kind === 'create-folder') {
      const created = await createFolder.mutateAsync({
        params: address,
        body: { name, parent_trellis_code: request.parent },
      })
      await navigate(paths.folder(created.trellis_code))
    } else if (request.kind === 'rename-dataflow') {
      const code = request.dataflow.trellis_code
      await updateDataflow.mutateAsync({ params: { ...address, relative_trellis_code: code }, body: { name } })
    } else {
      const code = request.folder.trellis_code
      await updateFolder.mutateAsync({ params: { ...address, trellis_code: code }, body: { name } })
    }
  }
  const submit = async ({ name }: { name: string }) => {
    setProblem(undefined)
    try {
      await save(name)
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError && showServerError(form, error))) setProblem(getErrorDetail(error))
    }
  }
  return (
    <Dialog title={TITLES[request.kind]} onClose={onClose} isLocked={form.isSubmitting}>
      <Form form={form} onSubmit={submit}>
        <FormTextField name="name" label="Name" autoComplete="off" maxLength={100} data-autofocus />
        {problem && <Banner tone="danger">{problem}</Banner>}
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>{isNew ? 'Create' : 'Rename'}</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}

function nameIn(request: NameRequest): string {
  if (request.kind === 'rename-dataflow') return request.dataflow.name
  return request.kind === 'rename-folder' ? request.folder.name : ''
}
