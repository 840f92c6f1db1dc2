import { vi } from 'vitest'

/** Stands in for the tab the browser would open. */
export function stubTab() {
  const replace = vi.fn()
  const close = vi.fn()
  const open = vi.fn(() => ({ opener: {}, location: { replace }, close }))
  vi.stubGlobal('open', open)
  return { open, replace, close }
}
