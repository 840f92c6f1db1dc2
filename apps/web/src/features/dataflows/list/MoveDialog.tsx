import type { Folder } from '@trellis/contract/dataflows/dataflows.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { RadioGroup } from '../../../ui/forms/Choices.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { canMoveFolder, folderRows, formatFolderPath } from './folder-tree.ts'
import type { ListRequest } from './list-dialogs.ts'
import { useMoves } from './use-moves.ts'

type MoveRequest = Extract<ListRequest, { kind: 'move-dataflow' | 'move-folder' }>

export default function MoveDialog({
  request,
  folders,
  onClose,
}: {
  request: MoveRequest
  folders: readonly Folder[]
  onClose: () => void
}) {
  const moves = useMoves(folders)
  const from =
    request.kind === 'move-dataflow' ? request.dataflow.folder_trellis_code : request.folder.parent_trellis_code
  const movedItem = request.kind === 'move-dataflow' ? request.dataflow : request.folder
  const [to, setTo] = useState(from)
  const options = folderRows(folders).map(({ folder }) => ({
    value: folder.trellis_code,
    label: formatFolderPath(folders, folder.trellis_code),
    isDisabled: request.kind === 'move-folder' && !canMoveFolder(folders, movedItem.trellis_code, folder.trellis_code),
  }))
  const move = async () => {
    const isDone = request.kind === 'move-dataflow' ? moves.moveDataflow : moves.moveFolder
    if (await isDone(movedItem.trellis_code, to)) onClose()
  }
  return (
    <Dialog
      title={`Move ${movedItem.name}`}
      isLocked={moves.isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" isBusy={moves.isBusy} disabled={to === from} onClick={() => void move()}>
            Move
          </Button>
        </>
      }
    >
      <RadioGroup
        label="Into which folder"
        value={to ?? ''}
        onChange={(value) => setTo(value === '' ? null : value)}
        options={[{ value: '', label: 'No folder' }, ...options]}
      />
    </Dialog>
  )
}
