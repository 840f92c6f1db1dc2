import { GROUP_COLORS } from '@trellis/contract/dataflows/task-blocks.schemas'
import * as z from 'zod/mini'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Form, FormActions, FormTextField, SubmitButton } from '../../../../ui/forms/Form.tsx'
import { useSchemaForm } from '../../../../ui/forms/schema-form.ts'
import { TextArea } from '../../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import type { Group } from '../model/changes.ts'
import type { DialogProps } from './dialog-props.ts'
import styles from './dialogs.module.css'

const GroupForm = z.object({
  name: z.string().check(z.trim(), z.minLength(1, { error: 'Field required' }), z.maxLength(100)),
  color: z.enum(GROUP_COLORS),
  note: z.string().check(z.maxLength(20_000)),
})

interface GroupProps extends DialogProps {
  codes: readonly string[]
  group: Group | null
}

export default function GroupDialog({ actions, codes, group, onClose }: GroupProps) {
  const form = useSchemaForm(GroupForm, {
    name: group?.name ?? '',
    color: group?.color ?? 'blue',
    note: group?.note ?? '',
  })
  const submit = async (values: z.infer<typeof GroupForm>) => {
    const isDone = group ? await actions.changeGroup(group.trellis_code, values) : await actions.group(codes, values)
    if (isDone) onClose()
  }
  const count = codes.length === 1 ? '1 block' : `${codes.length} blocks`
  return (
    <Dialog title={group ? 'Edit group' : `Group ${count}`} isLocked={form.isSubmitting} onClose={onClose}>
      <Form form={form} onSubmit={submit}>
        <FormTextField name="name" label="Name" maxLength={100} autoComplete="off" data-autofocus />
        <fieldset className={styles.colors}>
          <legend>Colour</legend>
          {GROUP_COLORS.map((color) => (
            <label key={color} data-color={color}>
              <input
                type="radio"
                name="color"
                value={color}
                checked={form.values.color === color}
                onChange={() => form.type('color', color)}
              />
              <span>{color}</span>
            </label>
          ))}
        </fieldset>
        <TextArea
          label="Note"
          hint="Markdown. Shown below the group."
          isOptional
          rows={4}
          value={form.values.note}
          onChange={(event) => form.type('note', event.target.value)}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>{group ? 'Save' : 'Group'}</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
