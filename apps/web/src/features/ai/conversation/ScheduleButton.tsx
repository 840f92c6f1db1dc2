import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { ScheduleDialog } from '../schedules/ScheduleDialog.tsx'
import { useAsking } from './asking.ts'

export function ScheduleButton() {
  const { question, project } = useAsking()
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
      {isOpen && <ScheduleDialog project={project} question={question} onClose={() => setOpen(false)} />}
    </>
  )
}
