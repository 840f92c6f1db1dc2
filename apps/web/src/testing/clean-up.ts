import { afterEach, vi } from 'vitest'

// Test files share modules and the page: clean up what a test left.
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

if (typeof document !== 'undefined') {
  const { cleanup, configure, getConfig } = await import('@testing-library/react')
  const app = await import('../ui/feedback/toasts.ts')
  const auth = await import('../auth/parts/toasts.ts')
  // The first visit to a route loads its code, which takes a while on a busy machine.
  configure(({ getElementError }) => ({
    asyncUtilTimeout: 30_000,
    // Printing the page takes a tenth of all tests' time, and `waitFor` discards it.
    getElementError: (message, container) => {
      const isWaiting = (getConfig() as { _disableExpensiveErrorDiagnostics?: boolean })
        ._disableExpensiveErrorDiagnostics
      if (isWaiting !== true) return getElementError(message, container)
      return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
    },
  }))
  afterEach(() => {
    cleanup()
    document.body.replaceChildren()
    for (const { dismissToast, listToasts } of [app, auth]) for (const { id } of listToasts()) dismissToast(id)
    localStorage.clear()
    sessionStorage.clear()
  })
}
