import { LABEL_COLORS, LabelCreate, type Label } from '@trellis/contract/explorer/explorer.schemas'
import { useState } from 'react'
import * as z from 'zod/mini'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { useCreateLabel, useUpdateLabel } from '../labels.queries.ts'
import { useExplorer } from '../use-explorer.ts'
import { LabelDot } from './LabelMarks.tsx'
import styles from './labels.module.css'

type Color = (typeof LABEL_COLORS)[number]
const isColor = (text: string): text is Color => (LABEL_COLORS as readonly string[]).includes(text)

export function LabelForm({ label, onDone }: { label?: Label; onDone: (saved: Label | null) => void }) {
  const { params } = useExplorer()
  const create = useCreateLabel()
  const update = useUpdateLabel()
  const [name, setName] = useState(label?.name ?? '')
  const [color, setColor] = useState<Color>(label && isColor(label.color) ? label.color : 'blue')
  const [problem, setProblem] = useState<string>()
  const submit = async () => {
    const parsed = z.safeParse(LabelCreate, { name, color })
    if (!parsed.success) {
      setProblem(parsed.error.issues[0]?.message)
      return
    }
    try {
      onDone(
        label
          ? await update.mutateAsync({ params, body: { id: label.id, ...parsed.data } })
          : await create.mutateAsync({ params, body: parsed.data }),
      )
    } catch (error) {
      setProblem(getErrorDetail(error))
    }
  }
  return (
    <form
      className={styles.form}
      aria-label={label ? `Change ${label.name}` : 'New label'}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        label="Label name"
        value={name}
        error={problem}
        autoComplete="off"
        onChange={(event) => {
          setProblem(undefined)
          setName(event.target.value)
        }}
      />
      <fieldset className={styles.colors}>
        <legend>Colour</legend>
        {LABEL_COLORS.map((labelColor) => (
          <label key={labelColor} className={styles.color} title={labelColor}>
            <input
              type="radio"
              name="color"
              aria-label={labelColor}
              checked={labelColor === color}
              onChange={() => setColor(labelColor)}
            />
            <LabelDot color={labelColor} />
          </label>
        ))}
      </fieldset>
      <div className={styles.actions}>
        <Button
          size="sm"
          variant="primary"
          type="submit"
          isBusy={create.isPending || update.isPending}
          disabled={name.trim() === ''}
        >
          {label ? 'Save label' : 'Create label'}
        </Button>
        <Button size="sm" onClick={() => onDone(null)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
