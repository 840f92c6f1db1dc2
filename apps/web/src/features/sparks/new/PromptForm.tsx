import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { useHeldSubmit } from '../../../ui/forms/use-when-loaded.ts'
import { useAiModel } from '../../ai/model/ai-model.queries.ts'
import styles from '../sparks.module.css'
import { useCreateSpark } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'
import type { NewSparkFormProps } from './BlankSparkForm.tsx'

export function PromptForm({ project, onCreated }: NewSparkFormProps) {
  const { params } = useSparks()
  const model = useAiModel(params.account_trellis_code)
  const create = useCreateSpark()
  const [name, setName] = useState('')
  const [prompt, setPrompt] = useState('')
  const isMissing = model.data?.source === 'none'
  const canSubmit = !isMissing && name.trim() !== '' && prompt.trim() !== ''
  const { isWaiting, formProps } = useHeldSubmit({
    isLoading: model.isPending,
    canSubmit,
    onSubmit: () =>
      create.mutate(
        { params, body: { project_trellis_code: project, name, origin: { kind: 'prompt', prompt } } },
        { onSuccess: (spark) => onCreated(spark.spark_trellis_code) },
      ),
  })
  if (isMissing) {
    return (
      <Banner tone="info" title="No model is connected">
        An owner or admin can connect one under the account’s settings. Templates and the editor work without a model.
      </Banner>
    )
  }
  return (
    <form className={styles.form} {...formProps}>
      <TextField label="Name" required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      <Field label="What should it show?">
        {(links) => (
          <textarea
            {...links}
            className={styles.prompt}
            rows={5}
            maxLength={4000}
            placeholder="Revenue by month and country, with a filter for the country"
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
          />
        )}
      </Field>
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isBusy={create.isPending || isWaiting} disabled={!canSubmit}>
          Create spark
        </Button>
      </div>
    </form>
  )
}
