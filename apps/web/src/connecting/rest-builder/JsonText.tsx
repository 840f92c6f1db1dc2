import { useState } from 'react'
import { findJsonProblem } from '../../ui/editor/json-problem.ts'
import { TextArea } from '../../ui/forms/TextField.tsx'

/** Invalid JSON stays in the field and out of the draft. */
export function JsonText({
  label,
  value,
  onChange,
}: {
  label: string
  value: unknown
  onChange: (value: unknown) => void
}) {
  const written = value === undefined ? '' : JSON.stringify(value, null, 2)
  const [text, setText] = useState(written)
  const problem = text === '' ? null : findJsonProblem(text)
  return (
    <TextArea
      label={label}
      hint="JSON; texts in it may hold {{ expressions }}."
      rows={6}
      spellCheck={false}
      value={text}
      error={problem?.message}
      onChange={(event) => {
        const next = event.target.value
        setText(next)
        if (next === '') onChange(undefined)
        else if (!findJsonProblem(next)) onChange(JSON.parse(next))
      }}
    />
  )
}
