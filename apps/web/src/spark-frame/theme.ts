import type { FrameTheme } from '@trellis/contract/sparks/spark-bridge.schemas'

const NAME = /^--[a-zA-Z][\w-]*$/
const style = document.createElement('style')

/** Theme tokens apply on screen only: print uses the frame's own light ones. */
export function applyTheme({ mode, tokens, locale }: FrameTheme): void {
  const root = document.documentElement
  root.lang = locale
  const lines = Object.entries(tokens)
    .filter(([name, value]) => NAME.test(name) && !/[;{}]/.test(value))
    .map(([name, value]) => `${name}:${value}`)
  style.textContent = `@media screen{:root:root{${lines.join(';')}}}`
  if (!style.isConnected) document.head.append(style)
  // Last: charts redraw when it changes.
  root.dataset['theme'] = mode
}

export function applyFirstTheme(): void {
  if (location.hash === '#dark') document.documentElement.dataset['theme'] = 'dark'
}

/** Charts are canvases in the theme they were drawn in. */
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
