import { useState } from 'react'
import { useNavigate } from 'react-router'
import { getErrorDetail } from '../../../api/api-error.ts'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { ConfirmDialog, TypedConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useDataflowsScope, useDeleteDataflow, useDeleteFolder, useRestoreDataflow } from '../dataflows.queries.ts'
import type { ListRequest } from './list-dialogs.ts'

type DeleteRequest = Extract<ListRequest, { kind: 'delete-dataflow' | 'delete-folder' }>

export default function DeleteDialogs({ request, onClose }: { request: DeleteRequest; onClose: () => void }) {
  return request.kind === 'delete-dataflow' ? (
    <DeleteDataflow dataflow={request.dataflow} onClose={onClose} />
  ) : (
    <DeleteFolder folder={request.folder} onClose={onClose} />
  )
}

interface NamedResource {
  trellis_code: string
  name: string
}

function DeleteDataflow({ dataflow, onClose }: { dataflow: NamedResource; onClose: () => void }) {
  const { address, paths } = useDataflowsScope()
  const navigate = useNavigate()
  const remove = useDeleteDataflow()
  const restore = useRestoreDataflow()
  const [problem, setProblem] = useState<string>()
  const params = { ...address, trellis_code: dataflow.trellis_code }
  const confirm = async () => {
    setProblem(undefined)
    try {
      await navigate(paths.list)
      await remove.mutateAsync({ params })
      onClose()
      showToast({
        text: `${dataflow.name} was deleted.`,
        action: { label: 'Undo', onSelect: () => restore.mutate({ params }) },
      })
    } catch (error) {
      setProblem(getErrorDetail(error))
    }
  }
  return (
    <TypedConfirmDialog
      title={`Delete ${dataflow.name}?`}
      isBusy={remove.isPending}
      error={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        Its blocks, versions and runs go with it and nothing of it starts any more. Tables it has loaded stay. For 30
        days it can be brought back.
      </p>
    </TypedConfirmDialog>
  )
}

function DeleteFolder({ folder, onClose }: { folder: NamedResource; onClose: () => void }) {
  const { address, paths } = useDataflowsScope()
  const navigate = useNavigate()
  const remove = useDeleteFolder()
  const [problem, setProblem] = useState<string>()
  const confirm = async () => {
    setProblem(undefined)
    try {
      await remove.mutateAsync({ params: { ...address, trellis_code: folder.trellis_code } })
      onClose()
      await navigate(paths.list)
    } catch (error) {
      setProblem(getErrorDetail(error))
    }
  }
  return (
    <ConfirmDialog
      title={`Delete the folder ${folder.name}?`}
      isBusy={remove.isPending}
      error={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>Only the folder goes. The dataflows and folders in it move up to where it was.</p>
    </ConfirmDialog>
  )
}
