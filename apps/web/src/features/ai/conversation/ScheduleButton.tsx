import { CalendarClock } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { useConversationQuestion } from './conversation-question.ts'

const ScheduleDialog = lazy(async () => ({
  default: (await import('../schedules/ScheduleDialog.tsx')).ScheduleDialog,
}))

export function ScheduleButton() {
  const { question, project } = useConversationQuestion()
  const [isOpen, setOpen] = useState(false)
  if (question === '' || question.startsWith('/')) return null
  return (
    <>
      <IconButton
        size="sm"
        label="Schedule this question…"
        icon={<CalendarClock aria-hidden />}
        onClick={() => setOpen(true)}
      />
      <Suspense>
        {isOpen && <ScheduleDialog project={project} question={question} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
