import type { KeyboardEvent } from 'react'

const FOCUSABLE = '[role="grid"], [role="slider"], button:not(:disabled), [tabindex="0"]'

/** F6 goes from the editor to the results and back: Tab is a character of the text there. */
export function switchPane(event: KeyboardEvent<HTMLElement>, focusEditor: () => void): void {
  if (event.key !== 'F6') return
  const results = event.currentTarget.querySelector('section[aria-label="Results"]')
  if (!results) return
  event.preventDefault()
  if (results.contains(document.activeElement)) focusEditor()
  else findFirst(results)?.focus()
}

/** Rows before buttons. */
const findFirst = (results: Element): HTMLElement | null =>
  results.querySelector<HTMLElement>('[role="grid"][tabindex="0"], [role="grid"] [tabindex="0"]') ??
  results.querySelector<HTMLElement>(FOCUSABLE)
