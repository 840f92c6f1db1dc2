import { test as base, type Page } from '@playwright/test'
import { getEnvironment } from './environment.ts'
import { delayAnswers } from './late-answers.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { guardContext, type Guard } from './page-guard.ts'
import { givePerson, type Person } from './people.ts'

interface Options {
  /** Errors that the test causes on purpose, such as a 401 in the console. */
  expectedErrors: RegExp | undefined
  otherHosts: string[]
  connected: boolean
}

interface Fixtures {
  guard: Guard
  mailbox: Mailbox
  person: Person
  visitor: Page
}

export { expect } from '@playwright/test'

/** Chromium logs every response from 400 on. */
export const answered = (...statuses: number[]) => new RegExp(`status of (${statuses.join('|')})\\b`)

export const test = base.extend<Options & Fixtures>({
  expectedErrors: [undefined, { option: true }],
  otherHosts: [[], { option: true }],
  connected: [false, { option: true }],
  baseURL: async ({ connected }, use) => use(connected ? getEnvironment().connectedUrl : getEnvironment().url),
  guard: [
    async ({ context, expectedErrors, otherHosts, baseURL }, use) => {
      const guard = guardContext(context, { host: new URL(baseURL ?? '').host, otherHosts, errors: expectedErrors })
      await delayAnswers(context)
      await use(guard)
      base.expect(guard.problems, 'nothing went wrong unseen').toEqual([])
    },
    { auto: true },
  ],
  mailbox: async ({ request }, use) => use(openMailbox(request)),
  person: async ({ playwright: _ }, use) => use(await givePerson()),
  visitor: async ({ browser, expectedErrors, otherHosts, baseURL }, use) => {
    const context = await browser.newContext({ baseURL: baseURL ?? '' })
    const guard = guardContext(context, { host: new URL(baseURL ?? '').host, otherHosts, errors: expectedErrors })
    await delayAnswers(context)
    await use(await context.newPage())
    await context.close()
    base.expect(guard.problems, 'nothing went wrong unseen').toEqual([])
  },
})
