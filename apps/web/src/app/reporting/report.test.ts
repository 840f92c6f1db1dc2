import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => vi.resetModules())
afterEach(() => {
  document.head.innerHTML = ''
})

test('without a DSN nothing is loaded and reporting does nothing', async () => {
  document.head.innerHTML = '<meta name="trellis-report-dsn" content="">'
  const { reportError, startReporting } = await import('./report.ts')
  const load = vi.fn()
  startReporting(load)
  reportError(new Error('lost'))
  expect(load).not.toHaveBeenCalled()
})

test('with one it starts once and errors are passed on', async () => {
  document.head.innerHTML = '<meta name="trellis-report-dsn" content="https://key@reports.example/1">'
  const { reportError, startReporting } = await import('./report.ts')
  const report = vi.fn()
  const startSentry = vi.fn(() => report)
  const load = vi.fn(() => Promise.resolve({ startSentry }))
  startReporting(load)
  startReporting(load)
  const error = new Error('seen')
  reportError(error)
  await vi.waitFor(() => expect(report).toHaveBeenCalledWith(error), { timeout: 30_000 })
  expect(load).toHaveBeenCalledTimes(1)
  expect(startSentry).toHaveBeenCalledWith('https://key@reports.example/1')
})
