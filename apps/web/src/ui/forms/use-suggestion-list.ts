import { useId, useState } from 'react'

/** Where the caret stands, which suggestion is active, and whether the list was closed for the text as it is. */
export function useSuggestionList(text: string) {
  const id = useId()
  const [caret, setCaret] = useState(text.length)
  const [chosen, setChosen] = useState(0)
  const [closedFor, setClosedFor] = useState<string | null>(text)
  const close = () => setClosedFor(text)
  return {
    id,
    caret,
    isClosed: closedFor === text,
    close,
    moveTo: (at: number) => {
      if (at !== caret) setChosen(0)
      setCaret(at)
    },
    over: (count: number) => {
      const active = Math.min(chosen, Math.max(0, count - 1))
      const move = (by: number) => setChosen((active + by + count) % count)
      const onKey = (key: string): boolean => {
        if (key === 'ArrowDown') move(1)
        else if (key === 'ArrowUp') move(-1)
        else if (key === 'Escape') close()
        else return false
        return true
      }
      return { active, onKey }
    },
  }
}
