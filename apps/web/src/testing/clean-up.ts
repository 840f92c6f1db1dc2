import { afterEach, vi } from 'vitest'

// Files share their modules, and on a page the page too: what one test leaves, a test of another file would find.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

if (typeof document !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react')
  const app = await import('../ui/feedback/toasts.ts')
  const door = await import('../door/parts/toasts.ts')
  // The first visit to a route loads its code, which takes a while on a busy machine.
  configure({ asyncUtilTimeout: 30_000 })
  afterEach(() => {
    cleanup()
    for (const { dismissToast, listToasts } of [app, door]) for (const { id } of listToasts()) dismissToast(id)
    localStorage.clear()
    sessionStorage.clear()
  })
}
