import { CopyButton } from '../actions/CopyButton.tsx'
import { classNames } from '../class-names.ts'
import styles from './data.module.css'

/** `copied` is what the button puts on the clipboard when it must not be read off the screen. */
export function CodeBlock({
  code,
  copied = code,
  title,
  isWrapped = false,
}: {
  code: string
  copied?: string
  title?: string
  isWrapped?: boolean
}) {
  return (
    <div className={classNames(styles.code, isWrapped && styles.codeWrap)}>
      {title ? (
        <div className={styles.codeHead}>
          {title}
          <CopyButton text={copied} />
        </div>
      ) : (
        <span className={styles.codeCopy}>
          <CopyButton text={copied} />
        </span>
      )}
      <pre tabIndex={0} aria-label={title ?? 'Code'}>
        {code}
      </pre>
    </div>
  )
}
