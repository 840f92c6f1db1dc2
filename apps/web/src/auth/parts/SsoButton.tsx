import { useState } from 'react'
import { getErrorDetail } from '../../api/api-error.ts'
import { storeNextPath } from '../../app/session/handover.ts'
import { usePageSetting } from '../page-settings.ts'
import { LOGIN_FAILED, readNextPath } from '../sign-in.ts'
import { loadWork } from '../work/work-loader.ts'
import styles from './parts.module.css'
import { showToast } from './toasts.ts'

export function SsoButton({ search }: { search: string }) {
  const name = usePageSetting('sso')
  const [isLeaving, setLeaving] = useState(false)

  const leave = async () => {
    setLeaving(true)
    try {
      storeNextPath(readNextPath(search))
      const { call, startSso } = await loadWork()
      const { url } = await call(startSso, {})
      location.assign(url)
    } catch (error) {
      setLeaving(false)
      showToast({ tone: 'error', text: `${LOGIN_FAILED} ${getErrorDetail(error)}` })
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
