import { Markdown } from '../../../ui/data/Markdown.tsx'
import styles from '../integrations.module.css'
import { type DocsMode, selectDocs } from '../../../connecting/docs-for-mode.ts'

export function DocsPanel({
  name,
  documentation,
  mode = null,
}: {
  name: string
  documentation: string
  mode?: DocsMode
}) {
  return (
    <aside className={styles.docs} aria-label={`About ${name}`}>
      <details open={matchMedia('(min-width: 1000px)').matches}>
        <summary>How to connect {name}</summary>
        <Markdown text={withoutTitle(selectDocs(documentation, mode, name))} isFlowing />
      </details>
    </aside>
  )
}

/** The page has the title as its heading. */
export const withoutTitle = (text: string): string => text.replace(/^\s*# .*\n+/, '')
