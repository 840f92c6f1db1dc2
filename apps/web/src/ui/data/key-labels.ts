const APPLE: Record<string, string> = {
  mod: '⌘',
  shift: '⇧',
  alt: '⌥',
  enter: '↵',
  esc: 'esc',
  ctrl: '⌃',
  space: 'Space',
  pagedown: 'PgDn',
  pageup: 'PgUp',
}
const OTHERS: Record<string, string> = {
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  enter: '↵',
  esc: 'Esc',
  ctrl: 'Ctrl',
  space: 'Space',
  pagedown: 'PgDn',
  pageup: 'PgUp',
}

/** The caps of a shortcut such as `mod+shift+k`, as the person's keyboard shows them. */
export function keyLabels(keys: string, isApple: boolean): string[] {
  const names = isApple ? APPLE : OTHERS
  return keys.split('+').map((key) => names[key] ?? key.toUpperCase())
}
