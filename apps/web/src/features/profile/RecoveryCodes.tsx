import { Download } from 'lucide-react'
import { Button } from '../../ui/actions/Button.tsx'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import styles from './profile.module.css'
import { useProfile } from './profile.queries.ts'
import { recoveryFile, saveAsFile } from './recovery-codes.ts'

/** The only time the codes are shown. */
export function RecoveryCodes({
  title,
  codes,
  onDone,
}: {
  title: string
  codes: readonly string[]
  onDone: () => void
}) {
  const { email } = useProfile()
  const text = recoveryFile(codes, email)
  return (
    <div className={styles.recovery}>
      <Banner tone="success" title={title}>
        Keep these recovery codes in a safe place. Each one works once when your phone is not at hand. They are not
        shown again.
      </Banner>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.row}>
        <CopyButton text={codes.join('\n')} label="Copy" />
        <Button
          size="sm"
          icon={<Download aria-hidden />}
          onClick={() => saveAsFile('trellis-recovery-codes.txt', text)}
        >
          Download
        </Button>
        <span className={styles.fill} />
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
      </div>
    </div>
  )
}
