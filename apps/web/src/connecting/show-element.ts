import { useEffect, useState } from 'react'

export function showElement(name: string): void {
  const element = document.querySelector<HTMLElement>(`[data-element="${CSS.escape(name)}"]`)
  element?.scrollIntoView({ block: 'center' })
  element?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
}

/** Focused once the form is idle: a disabled field takes no focus. */
export function useRefusedElement(isBusy: boolean) {
  const [refused, setRefused] = useState<string | null>(null)
  useEffect(() => {
    if (refused !== null && !isBusy) showElement(refused)
  }, [refused, isBusy])
  return { refused, setRefused }
}
