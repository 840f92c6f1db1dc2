import type { BusinessContext } from '@trellis/contract/ai/ai.schemas'
import { useState } from 'react'
import { ApiError, detailOf, fieldOf } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Checkbox, RadioGroup } from '../../../ui/forms/Choices.tsx'
import { TextArea, TextField } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useCreateContext, useUpdateContext } from '../ai-projects.queries.ts'
import { useAi } from '../use-ai.ts'
import { CONTEXT_KINDS, CONTEXT_WORDS, type ContextKind } from './context-words.ts'
import styles from './projects.module.css'

interface ContextDialogProps {
  project: string
  /** The one to change; a new one without it. */
  context?: BusinessContext
  onClose: () => void
}

export function ContextDialog({ project, context, onClose }: ContextDialogProps) {
  const { params } = useAi()
  const [kind, setKind] = useState<ContextKind>(context?.kind ?? 'text')
  const [name, setName] = useState(context?.name ?? '')
  const [text, setText] = useState(context?.text ?? '')
  const [sql, setSql] = useState(context?.sql ?? '')
  const [isForAll, setForAll] = useState(false)
  const create = useCreateContext()
  const update = useUpdateContext()
  const { isPending, error } = context ? update : create
  const words = CONTEXT_WORDS[kind]
  const isQuestion = kind === 'verified_question'
  const canSave = !isPending && name.trim() !== '' && (isQuestion ? sql : text).trim() !== ''
  const save = () => {
    if (!canSave) return
    const values = { name: name.trim(), text: text.trim(), ...(isQuestion && { sql: sql.trim() }) }
    if (context) {
      const { context_trellis_code } = context
      update.mutate({ params: { ...params, context_trellis_code }, body: values }, { onSuccess: onClose })
      return
    }
    const place = isForAll && !isQuestion ? {} : { project_trellis_code: project }
    create.mutate({ params, body: { ...values, ...place, kind } }, { onSuccess: onClose })
  }
  const field = error instanceof ApiError ? fieldOf(error) : undefined
  const errorAt = (at: string) => (error && field === at ? detailOf(error) : undefined)
  const isAtField = ['name', 'text', 'sql'].includes(field ?? '')
  return (
    <Dialog
      title={context ? 'Edit business context' : 'Add business context'}
      size="md"
      isLocked={isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isPending}>
            Cancel
          </Button>
          <Button variant="primary" isBusy={isPending} disabled={!canSave} onClick={save}>
            {context ? 'Save' : 'Add'}
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
        {!context && (
          <RadioGroup
            label="Kind"
            value={kind}
            options={CONTEXT_KINDS.map((value) => ({
              value,
              label: CONTEXT_WORDS[value].kind,
              hint: CONTEXT_WORDS[value].hint,
            }))}
            onChange={(value) => setKind(value as ContextKind)}
          />
        )}
        <TextField
          label={words.name}
          value={name}
          maxLength={200}
          autoComplete="off"
          error={errorAt('name')}
          onChange={(event) => setName(event.target.value)}
          data-autofocus
        />
        <TextArea
          label={words.text}
          isOptional={isQuestion}
          rows={isQuestion ? 2 : 4}
          value={text}
          error={errorAt('text')}
          onChange={(event) => setText(event.target.value)}
        />
        {isQuestion && (
          <div className={styles.sql}>
            <TextArea
              label="SQL"
              hint="One SELECT over the tables of this project. It is checked before it is saved."
              rows={6}
              spellCheck={false}
              value={sql}
              error={errorAt('sql')}
              onChange={(event) => setSql(event.target.value)}
            />
          </div>
        )}
        {!context && !isQuestion && (
          <Checkbox
            label="Use in every project of this workspace"
            checked={isForAll}
            onChange={(event) => setForAll(event.target.checked)}
          />
        )}
        {error && !isAtField && <Banner tone="danger">{detailOf(error)}</Banner>}
      </form>
    </Dialog>
  )
}
