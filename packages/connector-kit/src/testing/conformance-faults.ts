import { hasConsentLink } from '@trellis/contract/formas/consent'
import { describe, expect, test } from 'vitest'
import { ConnectorError, type ProblemKind } from '../connector-error.ts'
import type { Connector, Simulator } from '../connector.ts'
import type { ConformanceCase } from './conformance-case.ts'
import type { Fault, FaultAnswer } from './faults.ts'
import { readAll } from './read-all.ts'
import { TEST_NOW, type TestContextOptions, createTestContext } from './test-context.ts'

const status = (code: number, headers: Record<string, string> = {}): FaultAnswer => ({
  kind: 'status',
  status: code,
  headers,
})
const PASSING: readonly [string, FaultAnswer, ProblemKind][] = [
  ['429 with Retry-After', status(429, { 'retry-after': '7' }), 'rate_limited'],
  ['429 without Retry-After', status(429), 'rate_limited'],
  ['500', status(500), 'transient'],
  ['503', status(503), 'transient'],
  ['a dropped connection', { kind: 'dropped' }, 'transient'],
  ['an answer that is cut short', { kind: 'cut' }, 'transient'],
]

const NO_OBJECTS: NonNullable<ConformanceCase['malformed']> = {
  records: [null, 'no record', 7, [], true],
  reason: /^The record is .+, not an object with fields\.$/,
}
const toRaw = (record: unknown) => JSON.stringify(record)

function describeMalformed(
  connector: Connector,
  { query, findRecords, malformed = NO_OBJECTS }: ConformanceCase,
  createContext: (options: TestContextOptions) => ReturnType<typeof createTestContext>,
): void {
  test('malformed records are rejected one by one, and the others are read', async () => {
    const { rows } = await readAll(connector, createContext({}), { query })
    let count = 0
    const change = (body: unknown) => {
      const records = findRecords?.(body) ?? []
      for (let at = 0; at < records.length - 1; at += 3)
        records[at] = malformed.records[count++ % malformed.records.length]
      return body
    }
    const context = createContext({ faults: [{ on: 'every', answer: { kind: 'changed', change } }] })
    const read = await readAll(connector, context, { query })
    expect(count).toBeGreaterThan(0)
    expect(read.rejected).toHaveLength(count)
    expect(read.rows).toHaveLength(rows.length - count)
    expect(new Set(read.rejected.map(({ raw }) => raw))).toEqual(new Set(malformed.records.slice(0, count).map(toRaw)))
    for (const { reason } of read.rejected) expect(reason).toMatch(malformed.reason)
  })
}

/** Injects each fault into the first, a middle and the last request of a read, and into all. */
export function describeFaults(connector: Connector, one: ConformanceCase & { simulator: Simulator }): void {
  const createContext = (options: TestContextOptions) =>
    createTestContext({
      values: one.values,
      now: one.now ?? TEST_NOW,
      simulator: one.simulator,
      ...(one.hosts ? { hosts: one.hosts } : {}),
      ...options,
    })
  const whole = async () => {
    const context = createContext({})
    return { ...(await readAll(connector, context, { query: one.query })), context }
  }

  describe.each(PASSING)('%s', (_name, answer, kind) => {
    test('once is waited for and changes nothing', async () => {
      const { rows, context } = await whole()
      const last = context.requests.length - 1
      for (const number of new Set([0, Math.floor(last / 2), last])) {
        const faulty = createContext({ faults: [{ on: [number], answer }] })
        const read = await readAll(connector, faulty, { query: one.query })
        expect(read.rows).toEqual(rows)
        const [refusedRequest, repeated] = faulty.requests.slice(number, number + 2)
        const waited = (repeated?.at ?? 0) - (refusedRequest?.at ?? 0)
        const asked = answer.kind === 'status' ? Number(answer.headers?.['retry-after'] ?? 0) * 1000 : 0
        expect(waited).toBeGreaterThanOrEqual(Math.max(1, asked))
      }
    })

    test('for ever ends with an error of its kind', async () => {
      const error = await failure(createContext({ faults: [{ on: 'every', answer }] }))
      expect(error).toBeInstanceOf(ConnectorError)
      expect(error).toMatchObject({ kind })
      expectNoSecret(error, one)
    })
  })

  test('a refusal that will not pass is not tried again', async () => {
    const context = createContext({ faults: [{ on: 'every', answer: status(403) }] })
    const error = await failure(context)
    expect(error).toMatchObject({ kind: 'configuration' })
    expect(context.requests.length).toBeLessThanOrEqual(2)
    expectNoSecret(error, one)
  })

  if (one.findRecords) describeMalformed(connector, one, createContext)

  test('cancelling while an answer is awaited ends the read at once', async () => {
    const cancel = new AbortController()
    const hangs: Fault = {
      on: () => {
        queueMicrotask(() => cancel.abort(new Error('cancelled by the test')))
        return true
      },
      answer: { kind: 'hangs' },
    }
    const context = createContext({ signal: cancel.signal, faults: [hangs] })
    expect(String(await failure(context))).toContain('cancelled by the test')
    expect(context.requests).toHaveLength(1)
  })

  const isConsent = connector.oauth !== undefined && hasConsentLink(connector.setupForma, one.values)
  describe.each(isConsent ? [[connector.oauth?.provider]] : [])('consent of %s', () => {
    const expired: FaultAnswer = { ...status(one.expired?.status ?? 401), ...getExpiredBody(one) }
    const carries = (token: string) => (request: Request) =>
      request.url.includes(token) || [...request.headers].some(([, value]) => value.includes(token))

    test('an expired token is renewed once', async () => {
      const { rows } = await whole()
      const context = createContext({ faults: [{ on: carries('token-1'), answer: expired }] })
      expect((await readAll(connector, context, { query: one.query })).rows).toEqual(rows)
      expect(context.refreshes()).toBe(1)
    })

    test('consent that was withdrawn asks to link again', async () => {
      const context = createContext({ faults: [{ on: 'every', answer: expired }] })
      expect(await failure(context)).toMatchObject({ kind: 'configuration' })
      expect(context.refreshes()).toBe(1)
    })
  })

  async function failure(context: ReturnType<typeof createTestContext>): Promise<unknown> {
    try {
      await readAll(connector, context, { query: one.query })
    } catch (error) {
      return error
    }
    throw new Error('The read was expected to fail.')
  }

  function expectNoSecret(error: unknown, { values }: ConformanceCase): void {
    const shown = `${String(error)} ${(error as ConnectorError).advice ?? ''}`
    for (const section of connector.setupForma.sections) {
      for (const { type, reference } of section.elements) {
        const value = values[section.reference]?.[reference]
        if (type === 'secret' && typeof value === 'string' && value !== '') expect(shown).not.toContain(value)
      }
    }
  }
}

const getExpiredBody = ({ expired }: ConformanceCase) => (expired?.body === undefined ? {} : { body: expired.body })
