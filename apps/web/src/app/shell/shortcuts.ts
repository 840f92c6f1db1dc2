export interface KeyStroke {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  isTyping: boolean
}

export type Shortcut =
  | { kind: 'palette' }
  | { kind: 'sidebar' }
  | { kind: 'help' }
  | { kind: 'begin-go' }
  | { kind: 'go'; letter: string }

/** Ignores keys typed into a field, except with Ctrl or Cmd. */
export function findShortcut(stroke: KeyStroke, isGoing: boolean): Shortcut | null {
  const key = stroke.key.toLowerCase()
  if ((stroke.ctrlKey || stroke.metaKey) && !stroke.altKey && !stroke.shiftKey) {
    if (key === 'k') return { kind: 'palette' }
    return key === 'b' ? { kind: 'sidebar' } : null
  }
  if (stroke.isTyping || stroke.ctrlKey || stroke.metaKey || stroke.altKey) return null
  if (key === '?') return { kind: 'help' }
  if (isGoing && /^[a-z]$/.test(key)) return { kind: 'go', letter: key }
  return key === 'g' ? { kind: 'begin-go' } : null
}

/** The code editor is a contenteditable, not a field: without this check "G" would start a jump. */
export function isTypingIn(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.getAttribute('role') === 'textbox' ||
      /^(input|textarea|select)$/i.test(target.tagName))
  )
}

export const SHORTCUTS: readonly { keys: string; then?: string; text: string }[] = [
  { keys: 'mod+k', text: 'Search and commands' },
  { keys: 'mod+b', text: 'Show or hide the sidebar' },
  { keys: '?', text: 'This list' },
  { keys: 'j', text: 'Next row of a list' },
  { keys: 'k', text: 'Previous row of a list' },
  { keys: 'enter', text: 'Open the row' },
  { keys: '/', text: 'Search in a list' },
  { keys: 'esc', text: 'Close what is on top' },
]
