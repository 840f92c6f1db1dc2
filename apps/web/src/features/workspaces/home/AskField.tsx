import { ArrowRight } from 'lucide-react'
import { useNavigate } from 'react-router'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'

/** Longer questions belong into the box of a chat, which has several lines. */
const MAX_LENGTH = 500

/** The AI area asks what it is handed, so the dashboard loads nothing of it. */
export function AskField({ root }: { root: string }) {
  const navigate = useNavigate()
  const ask = (form: FormData) => {
    const typed = form.get('question')
    const question = typeof typed === 'string' ? typed.trim() : ''
    if (question !== '') void navigate(`${root}/ai`, { state: { question } })
  }
  return (
    <form role="search" action={ask}>
      <SearchField
        name="question"
        label="Ask about your data"
        placeholder="Ask about your data, for example: revenue by month"
        maxLength={MAX_LENGTH}
        end={<IconButton type="submit" size="sm" label="Ask the assistant" icon={<ArrowRight aria-hidden />} />}
      />
    </form>
  )
}
