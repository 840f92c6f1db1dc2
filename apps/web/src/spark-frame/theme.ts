import type { FrameTheme } from '@trellis/contract/sparks/spark-bridge.schemas'

const NAME = /^--[a-zA-Z][\w-]*$/
const style = document.createElement('style')

/** Tokens of the page count on screens alone: paper has the light ones of the frame's own sheet. */
export function applyTheme({ mode, tokens, locale }: FrameTheme): void {
  const root = document.documentElement
  root.lang = locale
  const lines = Object.entries(tokens)
    .filter(([name, value]) => NAME.test(name) && !/[;{}]/.test(value))
    .map(([name, value]) => `${name}:${value}`)
  style.textContent = `@media screen{:root:root{${lines.join(';')}}}`
  if (!style.isConnected) document.head.append(style)
  // Last: charts are drawn again when it changes.
  root.dataset['theme'] = mode
}

/** The theme of the page is in the address until its tokens come. */
export function applyFirstTheme(): void {
  if (location.hash === '#dark') document.documentElement.dataset['theme'] = 'dark'
}

/** Charts are pictures of the theme they were drawn in. */
export function printInLight(): void {
  let before: string | undefined
  window.addEventListener('beforeprint', () => {
    before = document.documentElement.dataset['theme']
    document.documentElement.dataset['theme'] = 'light'
  })
  window.addEventListener('afterprint', () => {
    if (before !== undefined) document.documentElement.dataset['theme'] = before
  })
}
