import { describe, expect, test } from 'vitest'
import type { ReadState } from '../batch.ts'
import type { Connector } from '../connector.ts'
import type { ConformanceCase } from './conformance-case.ts'
import { describeFaults } from './conformance-faults.ts'
import { readAll } from './read-all.ts'
import { TEST_NOW, type TestContextOptions, createTestContext } from './test-context.ts'
import { findTypeMismatches, upsertRows } from './values.ts'

const A_WEEK = 7 * 86_400_000
const MAX_RESUMES = 25

/** Call it at the top level of the connector's test. HTTP faults are injected if there is a simulator. */
export function testConformance(connector: Connector, cases: readonly ConformanceCase[]): void {
  describe.each(cases.map((conformanceCase) => [conformanceCase.name, conformanceCase] as const))(
    `${connector.code} conforms: %s`,
    (_name, conformanceCase) => {
      const simulator = conformanceCase.simulator ?? connector.simulator
      const createContext = async (options: TestContextOptions = {}) => {
        const all: TestContextOptions = {
          values: conformanceCase.values,
          now: conformanceCase.now ?? TEST_NOW,
          ...(conformanceCase.hosts ? { hosts: conformanceCase.hosts } : {}),
          ...(simulator ? { simulator } : {}),
          ...options,
        }
        return conformanceCase.context ? conformanceCase.context(all) : createTestContext(all)
      }
      const read = async (options?: TestContextOptions, state?: ReadState) =>
        readAll(connector, await createContext(options), { query: conformanceCase.query, ...(state ? { state } : {}) })

      test('paging ends and two reads give the same', async () => {
        const whole = await read()
        expect(whole.rows.length).toBeGreaterThan(0)
        expect(whole.batches.length).toBeGreaterThanOrEqual(conformanceCase.minBatches ?? 1)
        expect((await read()).rows).toEqual(whole.rows)
      })

      test('the schema matches the data', async () => {
        const { fields, key, cursor, batches } = await read()
        const names = fields.map(({ name }) => name)
        expect(new Set(names).size).toBe(names.length)
        expect(names).toEqual(expect.arrayContaining([...key, ...(cursor === null ? [] : [cursor])]))
        for (const { rows, isCopy } of batches) {
          // Postgres wrote the text of a copy batch; only nullability can be wrong.
          const requestedFields = isCopy ? fields.map((field) => ({ ...field, type: 'text' as const })) : fields
          expect(findTypeMismatches(requestedFields, rows)).toEqual([])
        }
      })

      test('the key tells all records apart', async () => {
        const { fields, key, rows } = await read()
        if (conformanceCase.hasNoKey) expect(key).toEqual([])
        else expect(upsertRows(fields, key, rows).size).toBe(rows.length)
      })

      test('resuming from the state of any batch equals a whole read', async () => {
        const whole = await read()
        const places = whole.batches.flatMap(({ state }, index) => (state ? [{ state, index }] : []))
        for (const { state, index } of spread(places, MAX_RESUMES)) {
          const before = whole.batches.slice(0, index + 1).flatMap(({ rows }) => rows)
          const { rows: after } = await read({}, state)
          const isLast = index === whole.batches.length - 1
          if (whole.key.length > 0 && (isLast || conformanceCase.resume === 'upsert')) {
            expect(upsertRows(whole.fields, whole.key, [...before, ...after])).toEqual(
              upsertRows(whole.fields, whole.key, whole.rows),
            )
          } else if (!isLast) expect([...before, ...after]).toEqual(whole.rows)
        }
      })

      test('the cursor never goes back, and what comes later is neither missed nor doubled', async () => {
        const now = conformanceCase.now ?? TEST_NOW
        const later = conformanceCase.later ?? new Date(now.getTime() + A_WEEK)
        const first = await read({ now })
        if (first.cursor === null) return
        const getCursor = conformanceCase.getCursor ?? ((state: ReadState) => state['cursor'])
        expect(first.finalState, 'the last batch carries the state of the next run').toBeDefined()
        const next = await read({ now: later }, first.finalState)
        const seen = [...first.batches, ...next.batches].flatMap(({ state }) => (state ? [getCursor(state)] : []))
        expect(seen.at(-1), 'state.cursor says how far it has come').not.toBeNull()
        expect(seen.at(-1)).toBeDefined()
        const known = seen.filter((value) => value !== undefined && value !== null)
        expect(known).toEqual(known.toSorted(compare))
        if (first.key.length === 0) return
        const whole = await read({ now: later })
        const table = upsertRows(whole.fields, whole.key, [...first.rows, ...next.rows])
        expect(table).toEqual(upsertRows(whole.fields, whole.key, whole.rows))
        const again = await read({ now: later }, first.finalState)
        expect(upsertRows(whole.fields, whole.key, [...first.rows, ...next.rows, ...again.rows])).toEqual(table)
      })

      test('a look fetches no more than it must', async () => {
        const { rows } = await read()
        const context = await createContext()
        const look = await readAll(connector, context, { query: conformanceCase.query, limit: 3 })
        expect(look.rows.length).toBeGreaterThanOrEqual(Math.min(3, rows.length))
        expect(look.rows.length).toBeLessThanOrEqual(rows.length)
      })

      test('cancelling between two batches ends the read', async () => {
        const cancel = new AbortController()
        const context = await createContext({ signal: cancel.signal })
        const work = async () => {
          const reading = await connector.source?.read(context, { query: conformanceCase.query })
          const count = { batches: 0 }
          for await (const _batch of reading?.batches ?? []) {
            count.batches += 1
            cancel.abort(new Error('cancelled by the test'))
          }
          return count.batches
        }
        const ended = await work().catch((error: unknown) => error)
        if (typeof ended === 'number') expect(ended).toBe(1)
        else expect(String(ended)).toContain('cancelled by the test')
      })

      test('checking the connection says what was found', async () => {
        const found = await connector.check(await createContext())
        expect(found.length).toBeGreaterThan(0)
        for (const { label, value } of found) expect(`${label}${value}`).not.toBe('')
      })

      if (simulator && !conformanceCase.context) describeFaults(connector, { ...conformanceCase, simulator })
    },
  )
}

function spread<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  const step = (items.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, index) => items[Math.round(index * step)] as T)
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}
