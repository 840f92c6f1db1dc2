/** CSP does not cover WebRTC and WebTransport. */
const OPEN_CHANNELS = /^(webkit)?RTC|^WebTransport/

/**
 * Before spark code runs: no script can be loaded or inserted any more, only `eval` works. So a nested frame cannot run
 * anything and cannot restore what is removed here.
 */
export function lockDown(): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (OPEN_CHANNELS.test(name)) Reflect.deleteProperty(globalThis, name)
  }
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = "script-src 'unsafe-eval'"
  document.head.append(policy)
}
