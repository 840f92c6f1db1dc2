import { CopyButton } from '../actions/CopyButton.tsx'
import { classNames } from '../class-names.ts'
import styles from './data.module.css'

export function CodeBlock({ code, title, isWrapped = false }: { code: string; title?: string; isWrapped?: boolean }) {
  return (
    <div className={classNames(styles.code, isWrapped && styles.codeWrap)}>
      {title ? (
        <div className={styles.codeHead}>
          {title}
          <CopyButton text={code} />
        </div>
      ) : (
        <span className={styles.codeCopy}>
          <CopyButton text={code} />
        </span>
      )}
      <pre tabIndex={0} aria-label={title ?? 'Code'}>
        {code}
      </pre>
    </div>
  )
}
