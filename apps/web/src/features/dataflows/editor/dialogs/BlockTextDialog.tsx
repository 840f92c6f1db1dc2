import * as z from 'zod/mini'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Markdown } from '../../../../ui/data/Markdown.tsx'
import { Form, FormActions, FormTextField, SubmitButton } from '../../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../../ui/forms/schema-form.ts'
import { TextArea } from '../../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import type { CanvasRequest } from '../canvas-requests.ts'
import type { DialogProps } from './dialog-props.ts'
import styles from './dialogs.module.css'

const NameForm = z.object({ name: z.string().check(z.trim(), z.minLength(1, { error: 'Field required' })) })
const NoteForm = z.object({ note: z.string().check(z.maxLength(20_000)) })

type TextRequest = Extract<CanvasRequest, { kind: 'rename' | 'note' }>

export default function BlockTextDialog({ request, ...props }: DialogProps & { request: TextRequest }) {
  return request.kind === 'rename' ? (
    <Rename {...props} block={request.block} />
  ) : (
    <Note {...props} block={request.block} />
  )
}

type BlockProps = DialogProps & { block: TextRequest['block'] }

function Rename({ actions, block, onClose }: BlockProps) {
  const form = useSchemaForm(NameForm, { name: block.name })
  const submit = async ({ name }: { name: string }) => {
    if (await actions.rename(block.task_block_trellis_code, name)) onClose()
  }
  return (
    <Dialog title="Rename the block" isLocked={form.isSubmitting} onClose={onClose}>
      <Form form={form} onSubmit={submit}>
        <FormTextField name="name" label="Name" maxLength={100} autoComplete="off" data-autofocus />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Rename</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}

function Note({ actions, block, onClose }: BlockProps) {
  const form = useSchemaForm(NoteForm, { note: block.metadata.note })
  const { note } = form.values
  const submit = async () => {
    if (await actions.setNote(block.task_block_trellis_code, note)) onClose()
  }
  return (
    <Dialog title={`Note on ${block.name}`} size="md" isLocked={form.isSubmitting} onClose={onClose}>
      <Form form={form} onSubmit={submit}>
        <TextArea
          label="Note"
          hint="Markdown: **bold**, lists, links."
          rows={7}
          value={note}
          data-autofocus
          onChange={(event) => form.type('note', event.target.value)}
        />
        {note.trim() !== '' && (
          <div className={styles.preview}>
            <Markdown text={note} />
          </div>
        )}
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Save</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
