import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type NetChanges, type RowChange, collapseChanges } from './collapse-changes.ts'

type Row = (string | null)[]
type Table = Map<string, Row>

/** One change after the other, as the source made them. */
function applyInOrder(table: Table, changes: readonly RowChange[]): Table {
  const rows = new Map([...table].map(([key, row]) => [key, [...row]]))
  for (const change of changes) {
    if (change.kind === 'truncate') rows.clear()
    else if (change.kind === 'delete') rows.delete(change.key[0] ?? '')
    else {
      const before = rows.get(change.oldKey?.[0] ?? change.values[0] ?? '')
      if (change.oldKey) rows.delete(change.oldKey[0] ?? '')
      rows.set(
        change.values[0] ?? '',
        change.values.map((value, at) => (value === undefined ? (before?.[at] ?? null) : value)),
      )
    }
  }
  return rows
}

/** All at once, every value that is kept taken from the table as it was. */
function applyNet(table: Table, { isTruncated, rows }: NetChanges): Table {
  const result: Table = isTruncated ? new Map() : new Map(table)
  for (const row of rows) {
    if (row.kind === 'delete') result.delete(row.key[0] ?? '')
    else {
      const before = table.get(row.from?.[0] ?? row.values[0] ?? '')
      const values = row.values.map((value, at) => (row.kept?.has(at) ? (before?.[at] ?? null) : value))
      result.set(row.values[0] ?? '', values)
    }
  }
  return result
}

type Step = {
  do: 'insert' | 'update' | 'move' | 'delete' | 'truncate'
  key: string
  to: string
  value: string
  isKept: boolean
}
const step = fc.record({
  do: fc.constantFrom('insert', 'update', 'update', 'move', 'move', 'delete', 'truncate') as fc.Arbitrary<Step['do']>,
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  to: fc.constantFrom('a', 'b', 'c', 'd'),
  value: fc.constantFrom('1', '2', '3'),
  isKept: fc.boolean(),
})

/** Only what a database would let happen. */
function toChanges(start: Table, steps: readonly Step[]): RowChange[] {
  let table = start
  return steps.flatMap(({ do: kind, key, to, value, isKept }) => {
    const big = isKept ? undefined : `big ${value}`
    const change: RowChange | undefined =
      kind === 'truncate'
        ? { kind }
        : kind === 'insert' && !table.has(key)
          ? { kind: 'write', values: [key, value, `big ${value}`], isNew: true, oldKey: null }
          : kind === 'delete' && table.has(key)
            ? { kind, key: [key] }
            : kind === 'update' && table.has(key)
              ? { kind: 'write', values: [key, value, big], isNew: false, oldKey: null }
              : kind === 'move' && table.has(key) && !table.has(to)
                ? { kind: 'write', values: [to, value, big], isNew: false, oldKey: [key] }
                : undefined
    if (!change) return []
    table = applyInOrder(table, [change])
    return [change]
  })
}

test('changes taken together leave the table as one after the other does', () => {
  const start: Table = new Map([
    ['a', ['a', '0', 'big a']],
    ['b', ['b', '0', 'big b']],
  ])
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const changes = toChanges(start, steps)
      const sorted = (table: Table) => [...table].toSorted(([one], [other]) => one.localeCompare(other))
      expect(sorted(applyNet(start, collapseChanges(changes, [0])))).toEqual(sorted(applyInOrder(start, changes)))
    }),
    { numRuns: 3000 },
  )
})

test('a change is counted once, also when it gives a row another key', () => {
  const start: Table = new Map([['a', ['a', '0', 'big a']]])
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const changes = toChanges(start, steps)
      const { rows } = collapseChanges(changes, [0])
      const own = rows.filter((row) => row.kind === 'write' || !row.isMoved)
      expect(own.length).toBeLessThanOrEqual(changes.length)
    }),
    { numRuns: 1000 },
  )
})

test('a key has one change at most', () => {
  const changes: RowChange[] = [
    { kind: 'write', values: ['a', 'b', '1'], isNew: true, oldKey: null },
    { kind: 'write', values: ['a', 'b', '2'], isNew: false, oldKey: null },
    { kind: 'delete', key: ['a', 'b'] },
  ]
  expect(collapseChanges(changes, [0, 1]).rows).toEqual([{ kind: 'delete', key: ['a', 'b'] }])
})
