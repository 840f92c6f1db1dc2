import { useEffect, useState } from 'react'
import { ApiError, getErrorDetail } from '../../api/api-error.ts'
import {
  storeConsentProblem,
  consumeAfterConsent,
  consumeConsent,
  consumeNextPath,
} from '../../app/session/handover.ts'
import { parseNextPath } from '../../app/session/next-path.ts'
import { Banner } from '../parts/Banner.tsx'
import { Link } from '../parts/Link.tsx'
import { Page } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { useIsReady } from '../auth-location.ts'
import { LOGIN_FAILED } from '../sign-in.ts'
import { loadWork } from '../work/work-loader.ts'

/** The code is single-use: one request per page load, also in React's strict mode. */
let finishing: Promise<void> | undefined

export function SsoCallbackPage({ search }: { search: string }) {
  const isReady = useIsReady()
  const [failure, setFailure] = useState<{ text: string; isConsent: boolean; connection: string | null } | null>(null)
  useEffect(() => {
    if (!isReady) return
    finishing ??= finish(search)
    finishing.catch((error: unknown) => {
      const connection = parseNextPath(consumeConsent(), location.origin)
      setFailure({ text: getErrorDetail(error), isConsent: isAboutConsent(error), connection })
    })
  }, [isReady, search])

  if (failure === null) {
    return (
      <Page heading="Signing you in" lead="One moment while we check with your identity provider.">
        <div className={styles.progress} role="progressbar" aria-label="Signing you in" />
      </Page>
    )
  }
  if (failure.isConsent) {
    return (
      <Page heading="The connection got no consent" lead="You were sent back, but the platform can’t be used yet.">
        <Banner tone="error" title="Nothing was connected">
          {failure.text}
        </Banner>
        <div className={styles.row}>
          {failure.connection !== null && (
            <a href={failure.connection} className={styles.link}>
              Back to the connection
            </a>
          )}
          <a href="/workspaces" className={styles.link}>
            Back to your workspaces
          </a>
        </div>
      </Page>
    )
  }
  return (
    <Page heading="Sign-in did not succeed" lead="Your identity provider sent you back, but we could not sign you in.">
      <Banner tone="error" title={LOGIN_FAILED}>
        {failure.text}
      </Banner>
      <div className={styles.row}>
        <Link to="/login">Back to login</Link>
      </div>
    </Page>
  )
}

/** Errors that only occur for OAuth consent. */
function isAboutConsent(error: unknown): boolean {
  return error instanceof ApiError && ['integration_problem', 'forbidden'].includes(error.code)
}

/**
 * Completes a sign-in. OAuth consent for a connection uses the same callback and returns to the page that requested
 * it; the server accepts it only from the person who did.
 */
async function finish(search: string): Promise<void> {
  const { completeSignIn, finishCallback } = await loadWork()
  const consumeReturnPath = () => parseNextPath(consumeAfterConsent(), location.origin)
  const answer = await finishCallback(Object.fromEntries(new URLSearchParams(search))).catch((error: unknown) => {
    const returnPath = error instanceof ApiError && error.code === 'integration_problem' ? consumeReturnPath() : null
    if (returnPath === null) throw error
    storeConsentProblem(getErrorDetail(error))
    return { go_to: returnPath }
  })
  if ('go_to' in answer) return location.replace(consumeReturnPath() ?? answer.go_to)
  completeSignIn({ accessToken: answer.access_token, next: parseNextPath(consumeNextPath(), location.origin) })
}
