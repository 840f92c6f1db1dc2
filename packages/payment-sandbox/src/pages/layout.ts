import { randomBytes } from 'node:crypto'

export interface PageResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/** Escaped markup, created by `html` or `text` only. */
export interface Html {
  readonly markup: string
}

const escapeText = (value: string) =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

type Part = string | number | Html | readonly Html[] | undefined | null | false

function renderPart(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part))
  return 'markup' in part ? part.markup : part.map((other) => other.markup).join('')
}

export function html(literals: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: literals.map((literal, at) => literal + (at < parts.length ? renderPart(parts[at]) : '')).join('') }
}

const STYLE = `
:root{color-scheme:light dark;--app:#f6f7f9;--surface:#fff;--sunken:#f0f1f4;--text:#14171f;--muted:#5b6270;--line:#e1e4ea;
--control:#c9ced8;--accent:#4e4cd6;--on:#fff;--soft:#eeeefc;--good:#12704a;--goodsoft:#e5f5ed;--warn:#8a5300;--warnsoft:#fdf2dc;
--bad:#b3261e;--badsoft:#fdeceb;--shadow:0 1px 2px rgb(16 20 30/.06)}
@media(prefers-color-scheme:dark){:root{--app:#0e1014;--surface:#15181e;--sunken:#0b0d10;--text:#eef0f4;--muted:#9aa2b1;--line:#262b35;
--control:#3a414e;--accent:#5859e3;--on:#fff;--soft:#20213f;--good:#5fd39b;--goodsoft:#12291f;--warn:#f0b860;--warnsoft:#2c2110;
--bad:#ff8f87;--badsoft:#331716;--shadow:0 1px 2px rgb(0 0 0/.4)}}
*{box-sizing:border-box}
body{margin:0;background:var(--app);color:var(--text);font:14px/22px "Geist Variable",ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif;
font-variant-numeric:tabular-nums}
.test{background:var(--warnsoft);color:var(--warn);text-align:center;padding:8px 16px;font-size:13px;font-weight:500;border-bottom:1px solid var(--line)}
main{max-width:920px;margin:0 auto;padding:32px 20px 64px}
main.narrow{max-width:560px}
header{display:flex;align-items:center;justify-content:space-between;gap:16px;margin-bottom:24px}
.brand{display:flex;align-items:center;gap:8px;font-weight:600;letter-spacing:-.01em}
.brand svg{color:var(--accent)}
h1{font-size:24px;line-height:30px;font-weight:600;letter-spacing:-.022em;margin:0 0 8px}
h2{font-size:15px;line-height:22px;font-weight:600;letter-spacing:-.008em;margin:0 0 12px}
p{margin:0 0 12px}
.muted{color:var(--muted)}
.small{font-size:13px;line-height:20px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:20px;margin-bottom:16px;box-shadow:var(--shadow)}
.split{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:24px;align-items:start}
.card>.row:first-child{padding-top:0}.card>.row:last-child{padding-bottom:0}
.price .small{font-weight:400;letter-spacing:0}
.price{font-size:32px;line-height:40px;font-weight:600;letter-spacing:-.03em}
.row{display:flex;justify-content:space-between;gap:16px;padding:8px 0;border-top:1px solid var(--line)}
.row:first-of-type{border-top:0}
.row.total{font-weight:600}
.row>span:last-child{text-align:right;white-space:nowrap}
fieldset{border:0;margin:0 0 16px;padding:0}
legend{font-weight:500;font-size:13px;padding:0;margin-bottom:8px}
.choice{display:flex;gap:12px;align-items:flex-start;border:1px solid var(--control);border-radius:8px;padding:10px 12px;margin-bottom:8px;cursor:pointer}
.choice:hover{border-color:var(--muted)}
.choice:has(input:checked){border-color:var(--accent);background:var(--soft)}
.choice:focus-within{outline:2px solid var(--accent);outline-offset:2px}
.choice input{margin:4px 0 0;accent-color:var(--accent)}
.choice strong{display:block;font-weight:500}
.choice span span{display:block;color:var(--muted);font-size:13px;line-height:18px}
button,.button{display:inline-flex;align-items:center;justify-content:center;height:36px;padding:0 14px;border-radius:6px;border:1px solid var(--control);
background:var(--surface);color:var(--text);font:inherit;font-size:13px;font-weight:500;text-decoration:none;cursor:pointer;white-space:nowrap}
button:hover,.button:hover{border-color:var(--muted)}
button:focus-visible,.button:focus-visible,a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.main{background:var(--accent);border-color:var(--accent);color:var(--on)}
.main:hover{filter:brightness(1.08);border-color:var(--accent)}
.danger{color:var(--bad);border-color:var(--bad)}
.wide{width:100%;height:42px;font-size:14px}
a{color:var(--accent)}
@media(prefers-color-scheme:dark){a:not(.button){color:#a3a4ff}}
.actions{display:flex;flex-wrap:wrap;gap:8px;margin-top:12px}
.actions form{margin:0}
.note{border-radius:8px;padding:10px 12px;margin-bottom:16px;font-size:13px;line-height:20px}
.note.bad{background:var(--badsoft);color:var(--bad)}
.note.good{background:var(--goodsoft);color:var(--good)}
.note.warn{background:var(--warnsoft);color:var(--warn)}
.pill{display:inline-flex;align-items:center;gap:6px;border-radius:5px;padding:0 7px;font-size:12px;line-height:20px;font-weight:500;background:var(--sunken);color:var(--muted)}
.pill::before{content:"";width:6px;height:6px;border-radius:50%;background:currentColor}
.pill.good{background:var(--goodsoft);color:var(--good)}.pill.warn{background:var(--warnsoft);color:var(--warn)}.pill.bad{background:var(--badsoft);color:var(--bad)}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:13px}
th{text-align:left;font-weight:500;color:var(--muted);padding:6px 12px 6px 0;border-bottom:1px solid var(--line);white-space:nowrap}
td{padding:10px 12px 10px 0;border-bottom:1px solid var(--line);vertical-align:top}
td.number,th.number{text-align:right;padding-right:0;white-space:nowrap}
tr:last-child td{border-bottom:0}
footer{margin-top:32px;text-wrap:balance;color:var(--muted);font-size:12px;text-align:center}
@media(max-width:720px){.split{grid-template-columns:minmax(0,1fr)}main{padding:20px 16px 48px}}
@media print{.test,footer,.actions,.noprint{display:none}body{background:#fff;color:#000}.card{border:0;box-shadow:none;padding:0}}
`

const MARK = html`<svg
  width="20"
  height="20"
  viewBox="0 0 20 20"
  fill="none"
  stroke="currentColor"
  stroke-width="1.8"
  stroke-linecap="round"
  aria-hidden="true"
>
  <path d="M4 2v16M10 2v16M16 2v16M2 6h16M2 14h16" />
</svg>`

export interface Page {
  title: string
  content: Html
  isNarrow?: boolean
  status?: number
  leadsTo?: string | null
}

export function page({ title, content, isNarrow = false, status = 200, leadsTo }: Page): PageResponse {
  const nonce = randomBytes(16).toString('base64')
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg" type="image/svg+xml"><title>${title} · Trellis payment sandbox</title>
<style nonce="${nonce}">${{ markup: STYLE }}</style></head>
<body><div class="test" role="note">Test mode: no real money moves</div>
<main${isNarrow && { markup: ' class="narrow"' }}><header><span class="brand">${MARK}Trellis payments</span></header>
${content}
<footer>Payment sandbox of this Trellis. It stands in for the payment provider until keys are set.</footer></main></body></html>`
  return { status, headers: headersFor(nonce, leadsTo), body: document.markup }
}

function headersFor(nonce: string, leadsTo: string | null | undefined): Record<string, string> {
  const target = leadsTo && URL.canParse(leadsTo) ? ` ${new URL(leadsTo).origin}` : ''
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // Otherwise browsers send forms with the origin "null", which is refused.
    'referrer-policy': 'same-origin',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; form-action 'self'${target}; frame-ancestors 'none'; base-uri 'none'`,
  }
}

export function goTo(address: string): PageResponse {
  return {
    status: 303,
    headers: { location: address, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
    body: '',
  }
}

export function formatDollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}

export function formatDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

export function formatDateTime(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString()
  return `${text.slice(0, 10)} @ ${text.slice(11, 16)} UTC`
}

const TONES: Record<string, string> = {
  paid: 'good',
  active: 'good',
  open: 'warn',
  draft: 'warn',
  past_due: 'warn',
  void: 'bad',
  uncollectible: 'bad',
  canceled: 'bad',
}
const WORDS: Record<string, string> = { past_due: 'Past due', void: 'Cancelled', canceled: 'Ended' }

export function renderStatus(status: string): Html {
  const word = WORDS[status] ?? status.charAt(0).toUpperCase() + status.slice(1)
  return html`<span class="pill ${TONES[status] ?? ''}">${word}</span>`
}
