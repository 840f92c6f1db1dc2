import type { BrowserContext } from '@playwright/test'

export interface Guard {
  /** What went wrong unseen: errors in the console, exceptions, policy violations, calls to other hosts. */
  problems: string[]
}

interface Allowed {
  hosts: readonly string[]
  errors: readonly RegExp[]
}

/** Watches every page of a context from its first request on. */
export async function guardContext(context: BrowserContext, { hosts, errors }: Allowed): Promise<Guard> {
  const problems: string[] = []
  const note = (problem: string) => {
    if (!errors.some((expected) => expected.test(problem))) problems.push(problem)
  }
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      console.error(`Policy violation: ${violatedDirective} ${blockedURI} ${sample}`),
    )
  })
  context.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()}`)
  })
  context.on('weberror', (error) => note(`exception: ${error.error().stack ?? error.error().message}`))
  context.on('request', (request) => {
    const { protocol, host } = new URL(request.url())
    if (/^https?:|^wss?:/.test(protocol) && !hosts.includes(host)) note(`another host: ${request.url()}`)
  })
  return { problems }
}
