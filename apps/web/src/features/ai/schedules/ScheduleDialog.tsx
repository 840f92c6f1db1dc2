import { MAX_QUESTION } from '@trellis/contract/ai/ai.schemas'
import { useState } from 'react'
import { detailOf } from '../../../api/api-error.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Checkbox } from '../../../ui/forms/Choices.tsx'
import { SubmitDialog } from '../../../ui/forms/SubmitDialog.tsx'
import { TextArea } from '../../../ui/forms/TextField.tsx'
import { useAi } from '../use-ai.ts'
import { firstDraft, toSchedule } from './schedule-draft.ts'
import { ScheduleFields } from './ScheduleFields.tsx'
import { useCreateScheduledQuestion } from './scheduled-questions.queries.ts'

interface ScheduleDialogProps {
  project: string
  question: string
  onClose: () => void
}

export function ScheduleDialog({ project, question: first, onClose }: ScheduleDialogProps) {
  const { params } = useAi()
  const create = useCreateScheduledQuestion()
  const [question, setQuestion] = useState(first)
  const [draft, setDraft] = useState(firstDraft)
  const [isOnlyChanged, setOnlyChanged] = useState(false)
  const { isPending, error } = create
  const canSave = question.trim() !== '' && !isPending
  const save = () => {
    const body = {
      project_trellis_code: project,
      question: question.trim(),
      schedule: toSchedule(draft),
      only_if_changed: isOnlyChanged,
    }
    create.mutate({ params, body }, { onSuccess: onClose })
  }
  return (
    <SubmitDialog
      title="Schedule this question"
      size="md"
      submitLabel="Schedule question"
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
      <ScheduleFields draft={draft} onChange={setDraft} />
      <Checkbox
        label="Only mail when the answer changed"
        hint="No mail as long as the rows are the same as in the last mail."
        checked={isOnlyChanged}
        onChange={(event) => setOnlyChanged(event.target.checked)}
      />
      {error && <Banner tone="danger">{detailOf(error)}</Banner>}
    </SubmitDialog>
  )
}
