import { useEffect, useState } from 'react'

/** Brings an element of a forma into sight and puts the caret there. */
export function showElement(name: string): void {
  const box = document.querySelector<HTMLElement>(`[data-element="${CSS.escape(name)}"]`)
  box?.scrollIntoView({ block: 'center' })
  box?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
}

/** The element a server refused. It is shown once the form is idle: a field that is still disabled takes no focus. */
export function useRefusedElement(isBusy: boolean) {
  const [refused, setRefused] = useState<string | null>(null)
  useEffect(() => {
    if (refused !== null && !isBusy) showElement(refused)
  }, [refused, isBusy])
  return { refused, setRefused }
}
