import { useState } from 'react'
import { REQUIRED } from '@trellis/contract/formas/forma-rules'
import { TextArea, TextField } from '../ui/forms/TextField.tsx'
import styles from './connecting.module.css'

export interface Naming {
  name: string
  description: string
}

const MAX_NAME_LENGTH = 100

function findNameProblem(name: string): string | undefined {
  if (name.trim() === '') return REQUIRED
  return name.trim().length > MAX_NAME_LENGTH ? `Enter at most ${MAX_NAME_LENGTH} characters.` : undefined
}

export const isNamed = ({ name }: Naming): boolean => findNameProblem(name) === undefined

export function NameFields({
  naming,
  example,
  isDisabled = false,
  isFirst = false,
  onChange,
}: {
  naming: Naming
  example: string
  isDisabled?: boolean
  isFirst?: boolean
  onChange: (naming: Naming) => void
}) {
  const [isTouched, setTouched] = useState(false)
  return (
    <div className={styles.naming}>
      <TextField
        label="Name"
        hint="How it is called in dataflows."
        placeholder={`${example} of the shop`}
        autoFocus={isFirst}
        disabled={isDisabled}
        value={naming.name}
        error={isTouched ? findNameProblem(naming.name) : undefined}
        onBlur={() => setTouched(true)}
        onChange={(event) => onChange({ ...naming, name: event.target.value })}
      />
      <TextArea
        label="Description"
        isOptional
        rows={2}
        disabled={isDisabled}
        value={naming.description}
        onChange={(event) => onChange({ ...naming, description: event.target.value })}
      />
    </div>
  )
}
