import type { KeyboardEvent } from 'react'

const FOCUSABLE = '[role="grid"], [role="slider"], button:not(:disabled), [tabindex="0"]'

/** F6 moves between editor and results, since Tab indents. */
export function switchPane(event: KeyboardEvent<HTMLElement>, focusEditor: () => void): void {
  if (event.key !== 'F6') return
  const results = event.currentTarget.querySelector('section[aria-label="Results"]')
  if (!results) return
  event.preventDefault()
  if (results.contains(document.activeElement)) focusEditor()
  else findFirst(results)?.focus()
}

const findFirst = (results: Element): HTMLElement | null =>
  results.querySelector<HTMLElement>('[role="grid"][tabindex="0"], [role="grid"] [tabindex="0"]') ??
  results.querySelector<HTMLElement>(FOCUSABLE)
