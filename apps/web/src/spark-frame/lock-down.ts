/** No policy covers WebRTC and WebTransport, which reach any host. */
const OPEN_CHANNELS = /^(webkit)?RTC|^WebTransport/

/**
 * Before the code of a spark runs: from now on no script is loaded or inserted, only text that is run by `eval`. A nested
 * frame, whatever it holds, can then run nothing, so it can't bring back what is removed here.
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
