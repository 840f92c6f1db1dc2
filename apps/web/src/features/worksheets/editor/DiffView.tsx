import { diffLines } from 'diff'
import styles from './editor.module.css'

export function DiffView({ before, after }: { before: string | null; after: string | null }) {
  const lines = diffLines(before ?? '', after ?? '').flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({ text, kind: added ? 'added' : removed ? 'removed' : 'same' })),
  )
  return (
    <pre tabIndex={0} aria-label="Changes" className={styles.diff}>
      {lines.map(({ kind, text }, index) => (
        <span key={index} data-kind={kind}>
          {kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '} {text}
        </span>
      ))}
    </pre>
  )
}
