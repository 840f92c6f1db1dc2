import type { Holder } from './consent-tokens.ts'
import { toBase64Url } from './consent-tokens.ts'

const STYLE = `
  :root { color-scheme: light dark; --ink: #1d2433; --paper: #fff; --ground: #eef1f6; --line: #d5dae4; --dim: #5b6579; --go: #2457c5 }
  @media (prefers-color-scheme: dark) { :root { --ink: #e8ebf2; --paper: #1c212c; --ground: #12151c; --line: #343c4d; --dim: #a3adc0; --go: #86a9ff } }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
  main { width: 100%; max-width: 480px; background: var(--paper); border: 1px solid var(--line); border-radius: 12px; overflow: hidden }
  .note { margin: 0; padding: 12px 28px; background: repeating-linear-gradient(-45deg, #f6c34422 0 12px, #f6c34444 12px 24px); border-bottom: 1px solid var(--line); font-size: 14px }
  .body { padding: 24px 28px 28px }
  h1 { margin: 0 0 8px; font-size: 22px; line-height: 1.3 }
  p { margin: 0 0 16px }
  ul { margin: 0 0 24px; padding: 12px 16px 12px 32px; border: 1px solid var(--line); border-radius: 8px; font-size: 14px; overflow-wrap: anywhere }
  nav { display: grid; gap: 8px }
  a { display: block; padding: 10px 16px; border: 1px solid var(--line); border-radius: 8px; color: inherit; text-decoration: none }
  a:hover { border-color: var(--go) }
  a:focus-visible { outline: 3px solid var(--go); outline-offset: 2px }
  a strong { display: block }
  a span { color: var(--dim); font-size: 14px }
  a.go { background: var(--go); border-color: var(--go); color: var(--paper) }
  a.go span { color: inherit }
`

const OFFERS: Readonly<Record<Holder, readonly [string, string]>> = {
  owner: ['Allow', 'as the owner, who can see every account'],
  stranger: ['Allow as someone without access', 'to see what a missing right looks like'],
  leaver: ['Allow and withdraw at once', 'to see what consent that was taken back looks like'],
}

interface Consent {
  readonly provider: string
  readonly scopes: readonly string[]
  readonly links: Readonly<Record<Holder, string>>
  readonly deny: string
}

export function buildConsentPage({ provider, scopes, links, deny }: Consent): Promise<Response> {
  const offers = Object.entries(OFFERS).map(([holder, [label, hint]], index) => {
    const address = escapeHtml(links[holder as Holder])
    return renderOffer({ name: holder, address, label, hint, isFirst: index === 0 })
  })
  const asked = scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')
  return page(`Simulated ${provider}`, [
    `<h1>Trellis wants access to ${escapeHtml(provider)}</h1>`,
    '<p>It asks to see and use:</p>',
    asked === '' ? '' : `<ul>${asked}</ul>`,
    `<nav aria-label="Your answer">${offers.join('')}${renderOffer({ name: 'deny', address: escapeHtml(deny), label: 'Deny', hint: 'and go back', isFirst: false })}</nav>`,
  ])
}

interface Offer {
  readonly name: string
  readonly address: string
  readonly label: string
  readonly hint: string
  readonly isFirst: boolean
}

const renderOffer = ({ name, address, label, hint, isFirst }: Offer) =>
  `<a ${isFirst ? 'class="go" ' : ''}href="${address}" aria-labelledby="${name}" aria-describedby="${name}-hint"><strong id="${name}">${label}</strong><span id="${name}-hint">${hint}</span></a>`

export function buildRefusalPage(provider: string, problem: string): Promise<Response> {
  return page(`Simulated ${provider}`, [`<h1>This request is refused</h1>`, `<p>${escapeHtml(problem)}</p>`], 400)
}

const NOTE =
  'This is a simulation inside Trellis. It stands in for the page of the provider; no account is touched, and all you see is sample data.'

async function page(title: string, parts: readonly string[], status = 200): Promise<Response> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(STYLE)))
  const hash = `${toBase64Url(digest).replaceAll('-', '+').replaceAll('_', '/')}=`
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><p class="note" role="note">${NOTE}</p><div class="body">${parts.join('')}</div></main></body></html>`
  return new Response(body, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  })
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (item) => ENTITIES[item] ?? item)
