import type { FrameTheme } from '@trellis/contract/sparks/spark-bridge.schemas'
import { CHART_COLORS } from '@trellis/contract/charts/charts.schemas'

const TONES = ['accent', 'success', 'warning', 'danger', 'info'].flatMap((tone) =>
  ['solid', 'text', 'soft', 'border', 'on'].map((part) => `${tone}-${part}`),
)
const TOKENS = [
  ...['app', 'surface', 'raised', 'sunken', 'hover', 'active'].map((name) => `bg-${name}`),
  ...['subtle', 'default', 'strong', 'control'].map((name) => `border-${name}`),
  ...['primary', 'secondary', 'tertiary', 'disabled'].map((name) => `text-${name}`),
  'accent-ring',
  ...TONES,
  ...CHART_COLORS,
]

export function readFrameTheme(mode: FrameTheme['mode']): FrameTheme {
  const sample = document.createElement('div')
  sample.dataset['theme'] = mode
  sample.hidden = true
  document.body.append(sample)
  const style = getComputedStyle(sample)
  const tokens = Object.fromEntries(
    TOKENS.map((name) => [`--${name}`, style.getPropertyValue(`--${name}`).trim()] as const).filter(
      ([, value]) => value !== '',
    ),
  )
  sample.remove()
  return { mode, tokens, locale: document.documentElement.lang || 'en' }
}

export const readThemeMode = (): FrameTheme['mode'] =>
  document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'

/** Called before the page is painted in the other theme. */
export function watchTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
