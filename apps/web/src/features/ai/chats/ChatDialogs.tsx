import { useState } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { SubmitDialog } from '../../../ui/forms/SubmitDialog.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
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
    const chatParams = { ...params, conversation_trellis_code: chat.conversation_trellis_code }
    rename.mutate({ params: chatParams, body: { name: name.trim() } }, { onSuccess: onClose })
  }
  return (
    <SubmitDialog
      title="Rename chat"
      submitLabel="Rename"
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
        error={error ? getErrorDetail(error) : undefined}
        onChange={(event) => setName(event.target.value)}
        data-autofocus
      />
    </SubmitDialog>
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
