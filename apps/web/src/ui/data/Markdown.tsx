import { useMemo } from 'react'
import type * as Drawing from './draw-markdown.tsx'
import { createObservable, useObservable } from './observable.ts'
import styles from './markdown.module.css'

/** The parser is a file of its own; until it is there, or should it never come, a text is shown as it was written. */
const drawing = createObservable<typeof Drawing | undefined>(undefined)
void import('./draw-markdown.tsx').then(drawing.set, () => undefined)

/** Lines end where people ended them, unless the text is `isFlowing`, as documents are. */
export function Markdown({
  text,
  isFlowing = false,
  hasOutsideLinks = true,
}: {
  text: string
  isFlowing?: boolean
  /** In what a program wrote over foreign data, a link could carry that data elsewhere: it is shown as text and address. */
  hasOutsideLinks?: boolean
}) {
  const loaded = useObservable(drawing)
  const drawn = useMemo(() => loaded?.drawMarkdown(text, hasOutsideLinks), [loaded, text, hasOutsideLinks])
  return (
    <div className={isFlowing ? `${styles.markdown} ${styles.flowing}` : styles.markdown}>{drawn ?? <p>{text}</p>}</div>
  )
}

/** The same without paragraphs, for one line of a list. */
export function MarkdownLine({ text }: { text: string }) {
  const loaded = useObservable(drawing)
  const line = text.split('\n')[0] ?? ''
  return <>{loaded?.drawMarkdownLine(line) ?? line}</>
}
