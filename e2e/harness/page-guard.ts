import type { BrowserContext } from '@playwright/test'

export interface Guard {
  /** What went wrong unseen: errors in the console, exceptions, policy violations, calls to other hosts. */
  problems: string[]
}

interface Allowed {
  /** The host under test. */
  host: string
  /** Others a journey goes to on purpose; what their own pages do is not ours to judge. */
  otherHosts: readonly string[]
  errors: RegExp | undefined
}

/** The recorder of traces reaches into every frame; that the mailbox's frame refuses it is as it should be. */
const FRAME_REFUSED_RECORDER =
  /^Blocked script execution in 'about:(blank|srcdoc)' because the document's frame is sandboxed/

/** Watches every page of a context from its first request on. */
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
    // Of a page just being opened there is no frame to ask yet.
    if (!request.isNavigationRequest() && isElsewhere(request.frame().url())) return
    if (getHost(request.url()) !== host && !isElsewhere(request.url())) note(`another host: ${request.url()}`)
  })
  return { problems }
}

function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
