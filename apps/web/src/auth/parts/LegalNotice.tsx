import { usePageSetting } from '../page-settings.ts'
import styles from './parts.module.css'

export function LegalNotice({ doing }: { doing: string }) {
  const terms = usePageSetting('terms-url')
  const privacy = usePageSetting('privacy-url')
  return (
    <p className={styles.legal}>
      By {doing} you agree to the <Document href={terms}>terms of service</Document> and the{' '}
      <Document href={privacy}>privacy policy</Document>.
    </p>
  )
}

function Document({ href, children }: { href: string | null; children: string }) {
  if (href === null) return children
  return (
    <a className={styles.quietLink} href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
