import type { BrowserContext } from '@playwright/test'

export interface Guard {
  problems: string[]
}

interface Allowed {
  host: string
  /** Other hosts the test visits; their errors are ignored. */
  otherHosts: readonly string[]
  errors: RegExp | undefined
}

/** Playwright's tracing injects a script into every frame; the mailbox's sandbox refuses it. */
const FRAME_REFUSED_RECORDER =
  /^Blocked script execution in 'about:(blank|srcdoc)' because the document's frame is sandboxed/

export function guardContext(context: BrowserContext, { host, otherHosts, errors }: Allowed): Guard {
  const problems: string[] = []
  const note = (problem: string) => {
    if (!errors?.test(problem)) problems.push(problem)
  }
  const isElsewhere = (url: string | undefined) => url !== undefined && otherHosts.includes(getHost(url))
  context.on('console', (message) => {
    if (message.type() !== 'error' || isElsewhere(message.page()?.url()) || isElsewhere(message.location().url)) return
    if (!FRAME_REFUSED_RECORDER.test(message.text())) note(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => {
    if (!isElsewhere(error.page()?.url())) note(`exception: ${error.error().stack ?? error.error().message}`)
  })
  context.on('request', (request) => {
    if (!/^(https?|wss?):/.test(request.url())) return
    // A page that is just opening has no frame yet.
    if (!request.isNavigationRequest() && isElsewhere(request.frame().url())) return
    if (getHost(request.url()) !== host && !isElsewhere(request.url())) note(`another host: ${request.url()}`)
  })
  return { problems }
}

function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
