export interface Mail {
  subject: string
  html: string
  text: string
}

type Block =
  | { kind: 'text'; text: string }
  | { kind: 'heading'; text: string }
  | { kind: 'note'; text: string }
  | { kind: 'figures'; figures: readonly { title: string; value: string; note: string }[] }
  | { kind: 'code'; code: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'bars'; title: string; bars: readonly { label: string; value: string; percent: number }[] }
  | {
      kind: 'picture'
      png: Buffer
      alt: string
      ends: readonly [first: string, last: string]
      note: string
      legend: readonly { color: string; label: string }[]
    }
  | {
      kind: 'table'
      columns: readonly { name: string; isNumber: boolean }[]
      rows: readonly (readonly string[])[]
    }

export interface MailContent {
  /** Without codes: shown on locked screens, and kept in the outbox. */
  subject: string
  preview: string
  firstName: string
  blocks: readonly Block[]
  publicUrl: string
}

export function renderMail(content: MailContent): Mail {
  const subject = oneLine(content.subject)
  const greeting = formatGreeting(content.firstName)
  const blocks = content.blocks.map(blockHtml).join('\n      ')
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${escapeHtml(subject)}</title>
    <style>${STYLE}</style>
  </head>
  <body class="ground" style="margin:0;padding:32px 16px;background:#f4f4f6;${FONT}">
    <div style="display:none;max-height:0;overflow:hidden">${escapeHtml(content.preview)}</div>
    <div class="sheet" style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e4e4e9;border-radius:12px;color:#1c1c22">
      <div class="ink" style="font-size:15px;font-weight:600;letter-spacing:-0.01em;margin:0 0 24px;color:#1c1c22">${MARK}Trellis</div>
      <h1 class="ink" style="font-size:20px;line-height:28px;font-weight:600;letter-spacing:-0.015em;margin:0 0 12px;color:#1c1c22">${escapeHtml(subject)}</h1>
      <p class="ink" style="${PARAGRAPH};color:#1c1c22">${escapeHtml(greeting)}</p>
      ${blocks}
    </div>
    <div class="quiet" style="max-width:480px;margin:16px auto 0;font-size:12px;line-height:18px;text-align:center;color:#6b6b76">
      Sent by Trellis at <a class="quiet" href="${escapeHtml(content.publicUrl)}" style="color:#6b6b76">${escapeHtml(getHost(content.publicUrl))}</a>
    </div>
  </body>
</html>
`
  const text = [greeting, ...content.blocks.map(formatBlock), `Sent by Trellis at ${content.publicUrl}`].join('\n\n')
  return { subject, html, text: `${text}\n` }
}

const FONT = "font-family:Geist,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = "font-family:'Geist Mono',ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"
const PARAGRAPH = 'font-size:14px;line-height:22px;margin:0 0 16px'
const CELL = 'padding:4px 8px;border-bottom:1px solid #e4e4e9;font-size:13px;line-height:20px;color:#1c1c22'
const MARK =
  '<span style="display:inline-block;width:10px;height:10px;margin-right:8px;border-radius:3px;background:#4e4cd6"></span>'
const STYLE = `
      @media (prefers-color-scheme: dark) {
        .ground { background: #101014 !important; }
        .sheet { background: #18181d !important; border-color: #2b2b33 !important; }
        .ink { color: #ededf2 !important; }
        .quiet { color: #9a9aa6 !important; }
        .code { background: #232329 !important; border-color: #34343d !important; color: #ffffff !important; }
        .button { background: #5859e3 !important; }
      }
    `

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p class="ink" style="${PARAGRAPH};color:#1c1c22">${escapeHtml(block.text)}</p>`
    case 'heading':
      return `<h2 class="ink" style="font-size:15px;line-height:22px;font-weight:600;margin:24px 0 8px;color:#1c1c22">${escapeHtml(block.text)}</h2>`
    case 'figures': {
      const cells = block.figures.map(
        ({ title, value, note }) =>
          `<td style="padding:12px 8px 12px 0;vertical-align:top"><div class="quiet" style="font-size:12px;line-height:18px;color:#6b6b76">${escapeHtml(title)}</div><div class="ink" style="font-size:22px;line-height:30px;font-weight:600;letter-spacing:-0.01em;color:#1c1c22">${escapeHtml(value)}</div><div class="quiet" style="font-size:12px;line-height:18px;color:#6b6b76">${escapeHtml(note)}</div></td>`,
      )
      return `<table style="border-collapse:collapse;margin:0 0 8px;width:100%;table-layout:fixed"><tr>${cells.join('')}</tr></table>`
    }
    case 'note':
      return `<p class="quiet" style="font-size:12px;line-height:18px;margin:0 0 8px;color:#6b6b76">${escapeHtml(block.text)}</p>`
    case 'code':
      return `<p class="code" style="${MONO};font-size:28px;line-height:36px;font-weight:600;letter-spacing:0.18em;text-align:center;margin:8px 0 24px;padding:16px 0;background:#f4f4f6;border:1px solid #e4e4e9;border-radius:8px;color:#1c1c22">${escapeHtml(block.code)}</p>`
    case 'table':
      return tableHtml(block)
    case 'bars': {
      const rows = block.bars.map(
        ({ label, value, percent }) =>
          `<tr><td class="ink" style="${CELL};border:0;width:30%">${escapeHtml(label)}</td><td style="padding:4px 8px"><div style="height:12px;border-radius:3px;background:#4e4cd6;width:${toWidth(percent)}%"></div></td><td class="ink" style="${CELL};border:0;width:20%;text-align:right">${escapeHtml(value)}</td></tr>`,
      )
      const title = block.title && blockHtml({ kind: 'heading', text: block.title })
      return `${title}<table role="img" aria-label="${escapeHtml(block.title)}" style="border-collapse:collapse;margin:0 0 16px;width:100%">${rows.join('')}</table>`
    }
    case 'picture': {
      const image = `<img src="data:image/png;base64,${block.png.toString('base64')}" alt="${escapeHtml(block.alt)}" width="416" style="display:block;width:100%;height:auto;border:1px solid #e4e4e9;border-radius:8px">`
      const quiet = 'font-size:12px;line-height:18px;color:#6b6b76'
      const [first, last] = block.ends.map(
        (end, at) =>
          `<td class="quiet" style="${quiet};padding:4px 0;text-align:${at === 0 ? 'left' : 'right'}">${escapeHtml(end)}</td>`,
      )
      const words = block.legend.map(({ color, label }) => `<span style="color:${color}">■</span> ${escapeHtml(label)}`)
      return `<div style="margin:0 0 16px">${image}<table style="border-collapse:collapse;width:100%"><tr>${first}${last}</tr></table><p class="quiet" style="${quiet};margin:0">${[...words, escapeHtml(block.note)].join(' &nbsp; ')}</p></div>`
    }
    case 'button':
      return `<p style="margin:8px 0 24px"><a class="button" href="${escapeHtml(safeUrl(block.url))}" style="display:inline-block;padding:9px 16px;border-radius:6px;background:#4e4cd6;color:#ffffff;font-size:14px;line-height:20px;font-weight:500;text-decoration:none">${escapeHtml(block.label)}</a></p>`
  }
}

function tableHtml({ columns, rows }: Extract<Block, { kind: 'table' }>): string {
  const row = (cells: readonly string[], tag: 'td' | 'th') =>
    `<tr>${cells.map((cell, at) => `<${tag} class="ink" style="${CELL};text-align:${columns[at]?.isNumber ? 'right' : 'left'}">${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  const names = columns.map(({ name }) => name)
  return `<table style="border-collapse:collapse;margin:0 0 16px;width:100%">${row(names, 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>`
}

const toWidth = (percent: number): number => Math.min(100, Math.max(1, Math.round(percent)))

function formatBlock(block: Block): string {
  if (block.kind === 'code') return `    ${block.code}`
  if (block.kind === 'button') return `${block.label}: ${safeUrl(block.url)}`
  if (block.kind === 'bars') {
    const lines = block.bars.map(({ label, percent, value }) => `${label} ${'#'.repeat(toWidth(percent) / 5)} ${value}`)
    return [block.title, ...lines].join('\n')
  }
  if (block.kind === 'picture') return block.alt
  if (block.kind === 'figures') {
    return block.figures.map(({ title, value, note }) => `${title}: ${value}${note && ` (${note})`}`).join('\n')
  }
  if (block.kind === 'table') {
    return [block.columns.map(({ name }) => name), ...block.rows].map((cells) => cells.join(' | ')).join('\n')
  }
  return block.text
}

/** Anyone can sign up with another's address: the "name" must not become spam in our mail. */
function formatGreeting(firstName: string): string {
  const name = oneLine(firstName)
  const isName = name.length > 0 && name.length <= 40 && /^[\p{L}\p{M}][\p{L}\p{M} '’-]*$/u.test(name)
  return isName ? `Hello ${name},` : 'Hello,'
}

function safeUrl(url: string): string {
  const { protocol, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('A mail may link to web pages only.')
  return href
}

function getHost(url: string): string {
  return new URL(url).host
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
