import { vi } from 'vitest'

export function stubTab() {
  const replace = vi.fn()
  const close = vi.fn()
  const tab = { opener: {}, location: { replace }, close, closed: false }
  const open = vi.fn(() => tab)
  vi.stubGlobal('open', open)
  return { open, replace, close, tab }
}
