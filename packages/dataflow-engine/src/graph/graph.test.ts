import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCycle, findCycle, sortTopologically, planRunFrom } from './graph.ts'

const graph = (given: Record<string, string[]>) => new Map(Object.entries(given))
const diamond = graph({ a: [], b: ['a'], c: ['a'], d: ['b', 'c'], e: [] })

describe('cycles', () => {
  test('are named in the direction of the arrows', () => {
    const cycle = findCycle(graph({ a: ['c'], b: ['a'], c: ['b'], d: ['a'] }))
    expect(cycle).toEqual(['a', 'b', 'c', 'a'])
    expect(formatCycle(cycle ?? [], (id) => id.toUpperCase())).toBe(
      "A block can't wait for itself: A → B → C → A. Take one of these arrows away.",
    )
    expect(findCycle(graph({ a: ['a'] }))).toEqual(['a', 'a'])
    expect(findCycle(diamond)).toBeUndefined()
  })
  test('of any graph are real ones, and without one there is an order', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'gone']
    const any = fc.tuple(...ids.slice(0, 6).map((id) => fc.tuple(fc.constant(id), fc.subarray(ids, { maxLength: 2 }))))
    fc.assert(
      fc.property(any, (entries) => {
        const given = new Map(entries)
        const cycle = findCycle(given)
        const order = sortTopologically(given)
        if (cycle) {
          expect(cycle[0]).toBe(cycle.at(-1))
          expect(new Set(cycle).size).toBe(cycle.length - 1)
          for (const [at, id] of cycle.slice(1).entries()) expect(given.get(id)).toContain(cycle[at])
          expect(order.length).toBeLessThan(given.size)
        } else {
          expect(order.toSorted()).toEqual([...given.keys()].toSorted())
          for (const [id, before] of given) {
            for (const from of before.filter((item) => given.has(item))) {
              expect(order.indexOf(from)).toBeLessThan(order.indexOf(id))
            }
          }
        }
      }),
      { numRuns: 300 },
    )
  })
  test('a chain of many thousands is walked', () => {
    const long = new Map(Array.from({ length: 20_000 }, (_, at) => [`${at}`, at === 0 ? ['19999'] : [`${at - 1}`]]))
    expect(findCycle(long)?.length).toBe(20_001)
  })
})

describe('what runs', () => {
  test('from here, each once, behind what it waits for within the plan', () => {
    expect(planRunFrom(diamond, 'b')).toEqual([
      { id: 'b', waitsFor: [] },
      { id: 'd', waitsFor: ['b'] },
    ])
    expect(planRunFrom(diamond, 'a').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    expect(planRunFrom(diamond, 'a').at(-1)?.waitsFor).toEqual(['b', 'c'])
    expect(planRunFrom(diamond, 'nobody')).toEqual([])
  })
})
