/** The field itself, or the nearest ancestor on screen. */
function goToField(path: string, within: ParentNode = document): boolean {
  const words = path.split('.')
  for (let length = words.length; length > 0; length--) {
    const fieldPath = words.slice(0, length).join('.')
    const part = within.querySelector<HTMLElement>(`[data-path="${CSS.escape(fieldPath)}"]`)
    if (!part) continue
    const rest = words.slice(length)
    const element =
      rest.length >= 2 ? part.querySelector<HTMLElement>(`[data-element="${rest.slice(0, 2).join('.')}"]`) : null
    const target = element ?? part
    target.scrollIntoView?.({ block: 'center' })
    const fields = target.querySelectorAll<HTMLElement>('input, select, textarea, button, [tabindex]')
    const first = [...fields].find((field) => !field.matches(':disabled'))
    first?.focus({ preventScroll: true })
    // A field is disabled until its options have loaded.
    return first !== undefined
  }
  return false
}

const MAX_FRAMES = 600

/** Waits until the field is rendered. */
export function goToFieldSoon(path: string, frames = MAX_FRAMES, from = document.activeElement): void {
  requestAnimationFrame(() => {
    const { activeElement, body } = document
    // Focus has moved on meanwhile.
    if (activeElement !== from && activeElement !== body) return
    if (!goToField(path) && frames > 0) goToFieldSoon(path, frames - 1, from)
  })
}

export function parseSubtaskIndex(path: string): number | null {
  const subtaskIndex = /^subtasks\.(\d+)/.exec(path)?.[1]
  return subtaskIndex === undefined ? null : Number(subtaskIndex)
}
