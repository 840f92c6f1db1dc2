import type { Deletion } from '@trellis/contract/explorer/recycle-bin.schemas'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useRestoreDeletion } from '../recycle-bin.queries.ts'
import { useExplorer } from '../use-explorer.ts'

export function RestoreDialog({ deletion, onClose }: { deletion: Deletion; onClose: () => void }) {
  const { params, paths } = useExplorer()
  const navigate = useNavigate()
  const restore = useRestoreDeletion()
  const own = deletion.table_name ?? deletion.schema_name
  const [name, setName] = useState(own)
  const [problem, setProblem] = useState<string>()
  const { deletion_code, integration_trellis_code: database } = deletion
  const submit = () => {
    setProblem(undefined)
    const trimmed = name.trim()
    restore.mutate(
      { params: { ...params, deletion_code }, body: trimmed === own ? {} : { new_name: trimmed } },
      {
        onError: (error) => setProblem(getErrorDetail(error)),
        onSuccess: ({ schema_name: schema, table_name: table, notes }) => {
          showToast({ tone: 'success', text: `${table ?? schema} restored.`, detail: notes.join(' ') })
          onClose()
          void navigate(table === null ? paths.schema({ database, schema }) : paths.table({ database, schema, table }))
        },
      },
    )
  }
  return (
    <Dialog
      title={`Restore ${own}`}
      isLocked={restore.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={restore.isPending}>
            Cancel
          </Button>
          <Button variant="primary" isBusy={restore.isPending} disabled={name.trim() === ''} onClick={submit}>
            Restore
          </Button>
        </>
      }
    >
      <p>
        It is restored with its rows, keys, indexes, rights and labels, and with everything that was deleted with it.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '' && !restore.isPending) submit()
        }}
      >
        <TextField
          label={deletion.kind === 'schema' ? 'Schema name' : 'Table name'}
          hint="Change it if the name is already in use."
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      </form>
      {problem && <Banner tone="danger">{problem}</Banner>}
    </Dialog>
  )
}
