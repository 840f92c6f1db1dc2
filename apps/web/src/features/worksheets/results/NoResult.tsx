import styles from './results.module.css'

export function NoResult({ problem }: { problem: string | null }) {
  return (
    <section aria-label="Results" className={styles.panel}>
      {problem === null ? (
        <p className={styles.message}>Press Run, or Ctrl or ⌘ Enter. The rows appear here.</p>
      ) : (
        <div role="alert" className={styles.problem}>
          {problem}
        </div>
      )}
    </section>
  )
}
