/** Brings an element of a forma into sight and puts the caret there. */
export function showElement(name: string): void {
  const box = document.querySelector<HTMLElement>(`[data-element="${CSS.escape(name)}"]`)
  box?.scrollIntoView({ block: 'center' })
  box?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
}
