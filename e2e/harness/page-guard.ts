import type { BrowserContext } from '@playwright/test'

export interface Guard {
  /** What went wrong unseen: errors in the console, exceptions, policy violations, calls to other hosts. */
  problems: string[]
}

interface Allowed {
  hosts: readonly string[]
  errors: RegExp | undefined
}

/** Watches every page of a context from its first request on. */
export function guardContext(context: BrowserContext, { hosts, errors }: Allowed): Guard {
  const problems: string[] = []
  const note = (problem: string) => {
    if (!errors?.test(problem)) problems.push(problem)
  }
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
