import { useState } from 'react'
import { detailOf } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useDeleteConversation, useRenameConversation } from '../conversations.queries.ts'
import { useAi } from '../use-ai.ts'

interface ChatDialogProps {
  chat: { conversation_trellis_code: string; name: string }
  onClose: () => void
}

export function RenameChatDialog({ chat, onClose }: ChatDialogProps) {
  const { params } = useAi()
  const rename = useRenameConversation()
  const [name, setName] = useState(chat.name)
  const { isPending, error } = rename
  const canSave = name.trim() !== '' && !isPending
  const save = () => {
    if (!canSave) return
    const place = { ...params, conversation_trellis_code: chat.conversation_trellis_code }
    rename.mutate({ params: place, body: { name: name.trim() } }, { onSuccess: onClose })
  }
  return (
    <Dialog
      title="Rename chat"
      isLocked={isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isPending}>
            Cancel
          </Button>
          <Button variant="primary" isBusy={isPending} disabled={!canSave} onClick={save}>
            Rename
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label="Name"
          value={name}
          maxLength={200}
          autoComplete="off"
          error={error ? detailOf(error) : undefined}
          onChange={(event) => setName(event.target.value)}
          data-autofocus
        />
      </form>
    </Dialog>
  )
}

export function DeleteChatDialog({ chat, onClose, onDeleted }: ChatDialogProps & { onDeleted?: () => void }) {
  const { params } = useAi()
  const remove = useDeleteConversation()
  const { conversation_trellis_code, name } = chat
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      isBusy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { params: { ...params, conversation_trellis_code } },
          {
            onSuccess: () => {
              onClose()
              onDeleted?.()
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>Its questions and answers are deleted for good. Worksheets opened from it stay.</p>
    </ConfirmDialog>
  )
}
