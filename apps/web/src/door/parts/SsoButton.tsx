import { getSsoProvider, startSso } from '@trellis/contract/identity/identity.endpoints'
import { useEffect, useState } from 'react'
import { detailOf } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { leaveNext } from '../../app/session/handover.ts'
import { LOGIN_FAILED, nextOf } from '../sign-in.ts'
import styles from './parts.module.css'
import { toast } from './toasts.ts'

/** Shown only where single sign-on is set up; a server that cannot say so leaves the password form usable. */
export function SsoButton({ search }: { search: string }) {
  const [name, setName] = useState<string | null>(null)
  const [isLeaving, setLeaving] = useState(false)

  useEffect(() => {
    const abort = new AbortController()
    call(getSsoProvider, {}, { signal: abort.signal }).then(
      (provider) => setName(provider.enabled ? (provider.name ?? 'single sign-on') : null),
      () => undefined,
    )
    return () => abort.abort()
  }, [])

  const leave = async () => {
    setLeaving(true)
    try {
      leaveNext(nextOf(search))
      const { url } = await call(startSso, {})
      location.assign(url)
    } catch (error) {
      setLeaving(false)
      toast({ tone: 'error', text: `${LOGIN_FAILED} ${detailOf(error)}` })
    }
  }
  return (
    <div className={styles.sso}>
      {name !== null && (
        <>
          <div className={styles.or}>or</div>
          <button type="button" className={styles.secondary} disabled={isLeaving} onClick={() => void leave()}>
            Continue with {name}
          </button>
        </>
      )}
    </div>
  )
}
