const MAX_LENGTH = 500
const FORBIDDEN = /^(javascript|data|vbscript|file|blob|about|view-source|filesystem|ws|wss|ftp):$/

const isLoopback = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** HTTPS, HTTP on loopback, or a custom scheme (RFC 8252); no fragment. */
export function isRedirectUri(text: string): boolean {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return false
  const url = new URL(text)
  if (url.hash !== '' || url.username !== '' || url.password !== '' || FORBIDDEN.test(url.protocol)) return false
  if (url.protocol === 'http:') return isLoopback(url)
  return true
}

/** The port may differ on loopback (RFC 8252 §7.3). */
export function isRegistered(registered: readonly string[], given: string): boolean {
  if (registered.includes(given)) return true
  if (!isRedirectUri(given)) return false
  const url = new URL(given)
  if (url.protocol !== 'http:' || !isLoopback(url)) return false
  const withoutPort = (uRL: URL) => `${uRL.hostname}${uRL.pathname}${uRL.search}`
  return registered.some(
    (item) => new URL(item).protocol === 'http:' && withoutPort(new URL(item)) === withoutPort(url),
  )
}

export const describeRedirect = (text: string): string => {
  const { protocol, host } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//`
}
