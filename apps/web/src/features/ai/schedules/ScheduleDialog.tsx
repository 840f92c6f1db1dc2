import { MAX_QUESTION } from '@trellis/contract/ai/ai.schemas'
import type { ScheduledQuestion } from '@trellis/contract/ai/scheduled-questions.schemas'
import { useState } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { SubmitDialog } from '../../../ui/forms/SubmitDialog.tsx'
import { TextArea } from '../../../ui/forms/TextField.tsx'
import { useAi } from '../use-ai.ts'
import { describeSchedule, createFirstDraft, toDraft, toSchedule } from './schedule-draft.ts'
import { ScheduleFields } from './ScheduleFields.tsx'
import { useCreateScheduledQuestion, useUpdateScheduledQuestion } from './scheduled-questions.queries.ts'

interface ScheduleDialogProps {
  project: string
  question: string
  scheduled?: ScheduledQuestion
  onClose: () => void
}

export function ScheduleDialog({ project, question: first, scheduled, onClose }: ScheduleDialogProps) {
  const { params } = useAi()
  const create = useCreateScheduledQuestion()
  const update = useUpdateScheduledQuestion()
  const [question, setQuestion] = useState(first)
  // A schedule that these fields cannot express is kept until another one is chosen.
  const [storedSchedule, setKept] = useState(
    scheduled && toDraft(scheduled.schedule) === null ? scheduled.schedule : null,
  )
  const [draft, setDraft] = useState(() => (scheduled && toDraft(scheduled.schedule)) ?? createFirstDraft())
  const [isOnlyChanged, setOnlyChanged] = useState(scheduled?.only_if_changed ?? false)
  const { isPending, error } = scheduled ? update : create
  const canSave = question.trim() !== '' && !isPending
  const save = () => {
    const body = {
      question: question.trim(),
      schedule: storedSchedule ?? toSchedule(draft),
      only_if_changed: isOnlyChanged,
    }
    if (scheduled) {
      const questionParams = { ...params, question_trellis_code: scheduled.question_trellis_code }
      update.mutate({ params: questionParams, body }, { onSuccess: onClose })
    } else create.mutate({ params, body: { ...body, project_trellis_code: project } }, { onSuccess: onClose })
  }
  return (
    <SubmitDialog
      title={scheduled ? 'Edit scheduled question' : 'Schedule this question'}
      size="md"
      submitLabel={scheduled ? 'Save' : 'Schedule question'}
      isBusy={isPending}
      canSubmit={canSave}
      onSubmit={save}
      onClose={onClose}
    >
      <TextArea
        label="Question to ask"
        rows={2}
        maxLength={MAX_QUESTION}
        value={question}
        onChange={(event) => setQuestion(event.target.value)}
        data-autofocus
      />
      {storedSchedule === null ? (
        <ScheduleFields draft={draft} onChange={setDraft} />
      ) : (
        <p>
          {describeSchedule(storedSchedule)}{' '}
          <Button size="sm" variant="ghost" onClick={() => setKept(null)}>
            Change schedule
          </Button>
        </p>
      )}
      <Checkbox
        label="Only mail when the answer changed"
        hint="No mail as long as the rows are the same as in the last mail."
        checked={isOnlyChanged}
        onChange={(event) => setOnlyChanged(event.target.checked)}
      />
      {error && <Banner tone="danger">{getErrorDetail(error)}</Banner>}
    </SubmitDialog>
  )
}
