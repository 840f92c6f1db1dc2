import { ApiError, getErrorDetail, getErrorField } from '../../../api/api-error.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Checkbox, RadioGroup } from '../../../ui/forms/Choices.tsx'
import { SubmitDialog } from '../../../ui/forms/SubmitDialog.tsx'
import { TextArea, TextField } from '../../../ui/forms/TextField.tsx'
import { CONTEXT_KINDS, CONTEXT_TEXTS, type ContextKind } from './context-words.ts'
import { type ContextForm, type ContextToWrite, useContextDraft } from './use-context-draft.ts'
import styles from './projects.module.css'

interface ContextDialogProps extends ContextToWrite {
  onClose: () => void
}

export function ContextDialog({ onClose, ...toWrite }: ContextDialogProps) {
  const form = useContextDraft(toWrite, onClose)
  const { context, suggestion } = toWrite
  const { isPending, canSave, save } = form
  return (
    <SubmitDialog
      title={context ? 'Edit business context' : 'Add business context'}
      size="md"
      submitLabel={context ? 'Save' : 'Add'}
      isBusy={isPending}
      canSubmit={canSave}
      onSubmit={save}
      onClose={onClose}
    >
      {!context && !suggestion && <KindChoice form={form} />}
      <TextFields form={form} />
      {!context && !form.hasSql && (
        <Checkbox
          label="Use in every project of this workspace"
          checked={form.draft.isForAll}
          onChange={(event) => form.change({ isForAll: event.target.checked })}
        />
      )}
    </SubmitDialog>
  )
}

function KindChoice({ form: { draft, change } }: { form: ContextForm }) {
  return (
    <RadioGroup
      label="Kind"
      value={draft.kind}
      options={CONTEXT_KINDS.map((value) => ({
        value,
        label: CONTEXT_TEXTS[value].kind,
        hint: CONTEXT_TEXTS[value].hint,
      }))}
      onChange={(value) => change({ kind: value as ContextKind })}
    />
  )
}

const FIELDS = new Set(['name', 'text', 'sql'])

function TextFields({ form: { draft, change, hasSql, error } }: { form: ContextForm }) {
  const texts = CONTEXT_TEXTS[draft.kind]
  const field = error instanceof ApiError ? getErrorField(error) : undefined
  const errorAt = (fieldName: string) => (error && field === fieldName ? getErrorDetail(error) : undefined)
  return (
    <>
      <TextField
        label={texts.name}
        value={draft.name}
        maxLength={200}
        autoComplete="off"
        error={errorAt('name')}
        onChange={(event) => change({ name: event.target.value })}
        data-autofocus
      />
      <TextArea
        label={texts.text}
        isOptional={hasSql}
        rows={hasSql ? 2 : 4}
        value={draft.text}
        error={errorAt('text')}
        onChange={(event) => change({ text: event.target.value })}
      />
      {texts.sql && (
        <div className={styles.sql}>
          <TextArea
            label={texts.sql.label}
            hint={texts.sql.hint}
            rows={texts.sql.rows}
            spellCheck={false}
            value={draft.sql}
            error={errorAt('sql')}
            onChange={(event) => change({ sql: event.target.value })}
          />
        </div>
      )}
      {error && !FIELDS.has(field ?? '') && <Banner tone="danger">{getErrorDetail(error)}</Banner>}
    </>
  )
}
