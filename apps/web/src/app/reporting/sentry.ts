import { captureException, init, replayIntegration } from '@sentry/react'

/** Our own address passes reports on, so the browser never speaks to another host. */
const TUNNEL = '/report'

/**
 * Every session is recorded, with all text and every input masked and media left out.
 * Unpacked, because the packing worker is made from a text, which our policy refuses.
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
