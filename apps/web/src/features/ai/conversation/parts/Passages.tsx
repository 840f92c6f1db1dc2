import type { PartOf } from './part-kinds.ts'
import styles from './parts.module.css'

/** Untrusted text: rendered without Markdown. */
export function Passages({ part: { passages } }: { part: PartOf<'documents'> }) {
  return (
    <div className={styles.parts}>
      {passages.map(({ file_id, file_name, page, heading, text }, index) => (
        <figure key={`${file_id}-${index}`} className={styles.passage}>
          <blockquote>{text}</blockquote>
          <figcaption>
            {[file_name, page === null ? '' : `page ${page}`, heading ?? ''].filter(Boolean).join(' · ')}
          </figcaption>
        </figure>
      ))}
    </div>
  )
}
