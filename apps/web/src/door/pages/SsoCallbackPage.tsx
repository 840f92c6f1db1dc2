import { useEffect, useState } from 'react'
import { detailOf } from '../../api/api-error.ts'
import { takeNext } from '../../app/session/handover.ts'
import { nextPathOf } from '../../app/session/next-path.ts'
import { Banner } from '../parts/Banner.tsx'
import { Link } from '../parts/Link.tsx'
import { Page } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { useIsReady } from '../place.ts'
import { LOGIN_FAILED } from '../sign-in.ts'
import { loadWork } from '../work/work-loader.ts'

/** The code in the address works once, so the answer is asked for once per page load, whatever React does. */
let finishing: Promise<void> | undefined

export function SsoCallbackPage({ search }: { search: string }) {
  const isReady = useIsReady()
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    if (!isReady) return
    finishing ??= finish(search)
    finishing.catch((error: unknown) => setFailure(detailOf(error)))
  }, [isReady, search])

  if (failure === null) {
    return (
      <Page heading="Signing you in" lead="One moment while we check with your identity provider.">
        <div className={styles.progress} role="progressbar" aria-label="Signing you in" />
      </Page>
    )
  }
  return (
    <Page heading="Sign-in did not succeed" lead="Your identity provider sent you back, but we could not sign you in.">
      <Banner tone="error" title={LOGIN_FAILED}>
        {failure}
      </Banner>
      <div className={styles.row}>
        <Link to="/login">Back to login</Link>
      </div>
    </Page>
  )
}

/** Consent for a connection comes back here too; it counts only from the person who asked for it. */
async function finish(search: string): Promise<void> {
  const { enter, finishCallback } = await loadWork()
  const answer = await finishCallback(Object.fromEntries(new URLSearchParams(search)))
  if ('go_to' in answer) return location.replace(answer.go_to)
  enter({ accessToken: answer.access_token, next: nextPathOf(takeNext(), location.origin) })
}
