import { ArrowRight } from 'lucide-react'
import { useNavigate } from 'react-router'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'

const MAX_LENGTH = 500

/** Passes the question to the AI area in router state, so that the dashboard does not load it. */
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
