import { captureException, init, replayIntegration } from '@sentry/react'

/** The server forwards reports, so that the browser contacts no other host. */
const TUNNEL = '/report'

/**
 * Replays mask all text and input and leave media out. Uncompressed, because the CSP refuses the compression worker.
 */
export function startSentry(dsn: string): (error: unknown) => void {
  init({
    dsn,
    tunnel: TUNNEL,
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    integrations: [
      replayIntegration({ maskAllText: true, maskAllInputs: true, blockAllMedia: true, useCompression: false }),
    ],
    sampleRate: 1,
    replaysSessionSampleRate: 1,
    replaysOnErrorSampleRate: 1,
  })
  return (error) => void captureException(error)
}
