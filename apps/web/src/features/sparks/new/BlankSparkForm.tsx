import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import styles from '../sparks.module.css'
import { useCreateSpark } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'

export interface NewSparkFormProps {
  project: string
  onCreated: (code: string) => void
}

export function BlankSparkForm({ project, onCreated }: NewSparkFormProps) {
  const { params } = useSparks()
  const create = useCreateSpark()
  const [name, setName] = useState('')
  const submit = () =>
    create.mutate(
      {
        params,
        body: {
          project_trellis_code: project,
          name,
          origin: { kind: 'content', content: { sources: [], parameters: [], body: { kind: 'blocks', blocks: [] } } },
        },
      },
      { onSuccess: (spark) => onCreated(spark.spark_trellis_code) },
    )
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField label="Name" required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isBusy={create.isPending} disabled={name.trim() === ''}>
          Create and open the editor
        </Button>
      </div>
    </form>
  )
}
