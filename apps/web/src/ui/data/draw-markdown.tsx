import { Lexer, type MarkedToken, type Token } from 'marked'
import { createElement, type ReactNode } from 'react'
import styles from './markdown.module.css'

/** Finding emphasis takes quadratic time: tens of thousands of asterisks would freeze the page. */
const MAX_EMPHASIS_MARKS = 5000
/** A deeper tree would exhaust the stack of the browser. */
const MAX_DEPTH = 40
/** The page's own headings come before what people write into it. */
const HEADINGS = ['h3', 'h4', 'h5'] as const
const ORIGIN = 'https://this.invalid'

interface RenderState {
  depth: number
  hasOutsideLinks: boolean
}

/** Builds elements, never HTML: tags in the text are shown as the letters they are made of. */
export function drawMarkdown(text: string, hasOutsideLinks: boolean): ReactNode {
  return drawSafely(text, () => draw(Lexer.lex(text), { depth: 0, hasOutsideLinks }))
}

export function drawMarkdownLine(text: string): ReactNode {
  return drawSafely(text, () => draw(Lexer.lexInline(text), { depth: 0, hasOutsideLinks: true }))
}

/** Nothing for a text that can't be parsed: it is shown as it was written. */
function drawSafely(text: string, build: () => ReactNode): ReactNode {
  if ((text.match(/[*_]+/g)?.length ?? 0) > MAX_EMPHASIS_MARKS) return undefined
  try {
    return build()
  } catch (error) {
    // Thousands of nested quotes exhaust the parser's stack.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const draw = (tokens: readonly Token[], place: RenderState): ReactNode =>
  tokens.map((token, key) => drawToken(token as MarkedToken, key, { ...place, depth: place.depth + 1 }))

function drawToken(token: MarkedToken, key: number, place: RenderState): ReactNode {
  if (place.depth > MAX_DEPTH) return token.raw
  switch (token.type) {
    case 'heading':
      return createElement(HEADINGS[token.depth - 1] ?? 'h5', { key }, draw(token.tokens, place))
    case 'paragraph':
      return <p key={key}>{draw(token.tokens, place)}</p>
    case 'blockquote':
      return <blockquote key={key}>{draw(token.tokens, place)}</blockquote>
    case 'code':
      return (
        <pre key={key} tabIndex={0}>
          {token.text}
        </pre>
      )
    case 'list': {
      const items = token.items.map((item, at) => <li key={at}>{draw(item.tokens, place)}</li>)
      return token.ordered ? (
        <ol key={key} start={Number(token.start)}>
          {items}
        </ol>
      ) : (
        <ul key={key}>{items}</ul>
      )
    }
    case 'table':
      return (
        <div key={key} className={styles.wide} tabIndex={0} role="group" aria-label="Table">
          <table>
            <thead>
              <tr>{token.header.map((cell, at) => drawCell('th', cell, { ...place, key: at }))}</tr>
            </thead>
            <tbody>
              {token.rows.map((row, line) => (
                <tr key={line}>{row.map((cell, at) => drawCell('td', cell, { ...place, key: at }))}</tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case 'hr':
      return <hr key={key} />
    default:
      return drawInline(token, key, place)
  }
}

function drawInline(token: MarkedToken, key: number, place: RenderState): ReactNode {
  switch (token.type) {
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'br':
      return <br key={key} />
    case 'strong':
    case 'em':
    case 'del':
      return createElement(token.type, { key }, draw(token.tokens, place))
    case 'codespan':
      return <code key={key}>{token.text}</code>
    case 'link':
    case 'image':
      return drawLink(token, key, place)
    case 'text':
      return token.tokens ? draw(token.tokens, place) : token.text
    case 'escape':
    case 'html':
      return token.text
    default:
      return null
  }
}

interface Cell {
  tokens: Token[]
  align: 'center' | 'left' | 'right' | null
}

function drawCell(
  tag: 'th' | 'td',
  { tokens, align }: Cell,
  { key, ...place }: RenderState & { key: number },
): ReactNode {
  return createElement(tag, { key, ...(align && { style: { textAlign: align } }) }, draw(tokens, place))
}

/** A picture is a link to it: loading it would tell its host who reads the page. */
function drawLink(
  { href, tokens, text, raw }: MarkedToken & { type: 'link' | 'image' },
  key: number,
  place: RenderState,
) {
  const target = findTarget(href)
  if (!target) return raw
  const label = text === '' ? href : draw(tokens, place)
  if (target === 'outside' && !place.hasOutsideLinks)
    return text === href ? (
      text
    ) : (
      <span key={key}>
        {label} ({href})
      </span>
    )
  return (
    <a key={key} href={href} target="_blank" rel="noreferrer noopener">
      {label}
    </a>
  )
}

/** As the browser reads it: `/\elsewhere` and `//elsewhere` leave the product, other schemes could run script. */
function findTarget(href: string): 'inside' | 'outside' | undefined {
  if (!/^(https?:|mailto:|[/#])/i.test(href) || !URL.canParse(href, ORIGIN)) return undefined
  const isInside = new URL(href, ORIGIN).origin === ORIGIN
  if (isInside) return 'inside'
  return /^[/#]/.test(href) ? undefined : 'outside'
}
