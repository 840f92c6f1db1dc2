import { OutgoingProblem } from './problem.ts'

export interface Hop {
  url: URL
  method: string
  headers: Headers
  body: Uint8Array | undefined
}

/** Headers kept across origins. An allowlist, since credentials use arbitrary headers. */
const HARMLESS = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

export function readUrl(text: string | URL, base?: URL): URL {
  const url = URL.parse(String(text), base)
  if (!url) throw new OutgoingProblem('url_invalid', 'The address is not valid.')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutgoingProblem('url_invalid', 'Only addresses that begin with https:// or http:// can be called.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutgoingProblem('url_invalid', 'The address must not hold a user name or password.')
  }
  return url
}

export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

export function followRedirect(hop: Hop, answer: { status: number; location: string }): Hop {
  const url = readUrl(answer.location, hop.url)
  const isOther = url.origin !== hop.url.origin
  const becomesGet = answer.status === 303 ? hop.method !== 'HEAD' : answer.status < 303 && hop.method === 'POST'
  if (isOther && !becomesGet && hop.body !== undefined) {
    throw new OutgoingProblem(
      'redirect_refused',
      `${hop.url.hostname} wants the data sent on to ${url.hostname}; that is not done.`,
    )
  }
  const headers = new Headers([...hop.headers].filter(([name]) => !isOther || HARMLESS.has(name)))
  if (!becomesGet) return { ...hop, url, headers }
  headers.delete('content-type')
  return { url, method: 'GET', headers, body: undefined }
}
