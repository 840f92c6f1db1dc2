import { createContext, useContext, type ReactNode } from 'react'
import { parseBlocks, parseInlines, type Block, type Inline } from './markdown.ts'
import styles from './markdown.module.css'

/** Written by a program over foreign data, a link could carry that data elsewhere with one click. */
const OutsideLinks = createContext(true)

/**
 * What people wrote, set out; lines end where they ended them, unless the text is `isFlowing`, as documents are. It is built from elements alone, so nothing written in it can become markup.
 */
export function Markdown({
  text,
  isFlowing = false,
  hasOutsideLinks = true,
}: {
  text: string
  isFlowing?: boolean
  /** Without them a link that leads elsewhere is shown as its text and address. */
  hasOutsideLinks?: boolean
}) {
  return (
    <OutsideLinks value={hasOutsideLinks}>
      <div className={isFlowing ? `${styles.markdown} ${styles.flowing}` : styles.markdown}>
        {parseBlocks(text).map(drawBlock)}
      </div>
    </OutsideLinks>
  )
}

/** The same without paragraphs, for one line of a list. */
export function MarkdownLine({ text }: { text: string }) {
  return <>{parseInlines(text.split('\n')[0] ?? '').map(drawInline)}</>
}

function drawBlock(block: Block, key: number): ReactNode {
  switch (block.kind) {
    case 'heading': {
      // The page's own headings come before what people write into it.
      const Heading = (['h3', 'h4', 'h5'] as const)[block.level - 1] ?? 'h5'
      return <Heading key={key}>{block.parts.map(drawInline)}</Heading>
    }
    case 'paragraph':
      return <p key={key}>{block.parts.map(drawInline)}</p>
    case 'quote':
      return <blockquote key={key}>{block.parts.map(drawInline)}</blockquote>
    case 'code':
      return (
        <pre key={key} tabIndex={0}>
          {block.text}
        </pre>
      )
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List key={key}>
          {block.items.map((item, at) => (
            <li key={at}>{item.map(drawInline)}</li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <div key={key} className={styles.wide} tabIndex={0} role="group" aria-label="Table">
          <table>
            <thead>
              <tr>{block.head.map((cell, at) => drawCell('th', cell, at))}</tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>{row.map((cell, column) => drawCell('td', cell, column))}</tr>
              ))}
            </tbody>
          </table>
        </div>
      )
  }
}

function drawCell(Cell: 'th' | 'td', parts: readonly Inline[], key: number): ReactNode {
  return <Cell key={key}>{parts.map(drawInline)}</Cell>
}

function drawInline(inline: Inline, key: number): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return <code key={key}>{inline.text}</code>
    case 'strong':
      return <strong key={key}>{inline.parts.map(drawInline)}</strong>
    case 'em':
      return <em key={key}>{inline.parts.map(drawInline)}</em>
    case 'link':
      return <MarkdownLink key={key} href={inline.href} parts={inline.parts} />
  }
}

const isInside = (href: string): boolean => /^[/#](?![/\\])/.test(href)

function MarkdownLink({ href, parts }: { href: string; parts: readonly Inline[] }) {
  const isShown = useContext(OutsideLinks) || isInside(href)
  const label = parts.map(drawInline)
  if (!isShown) {
    return (
      <>
        {label} ({href})
      </>
    )
  }
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {label}
    </a>
  )
}
