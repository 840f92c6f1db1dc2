import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type NetChanges, type RowChange, collapseChanges } from './collapse-changes.ts'

type Row = (string | null)[]
type Table = Map<string, Row>

const HARD = { key: [0], deletedAt: null }
const SOFT = { key: [0], deletedAt: 3 }
const committedAt = 'now'

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

function applyNet(table: Table, { truncatedAt, rows }: NetChanges): Table {
  const result: Table = truncatedAt !== null ? new Map() : new Map(table)
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

/** Only valid histories. */
function toChanges(start: Table, steps: readonly Step[]): RowChange[] {
  let table = start
  return steps.flatMap(({ do: kind, key, to, value, isKept }) => {
    const big = isKept ? undefined : `big ${value}`
    const change: RowChange | undefined =
      kind === 'truncate'
        ? { kind, committedAt }
        : kind === 'insert' && !table.has(key)
          ? { kind: 'write', values: [key, value, `big ${value}`], isNew: true, oldKey: null, committedAt }
          : kind === 'delete' && table.has(key)
            ? { kind, key: [key], committedAt }
            : kind === 'update' && table.has(key)
              ? { kind: 'write', values: [key, value, big], isNew: false, oldKey: null, committedAt }
              : kind === 'move' && table.has(key) && !table.has(to)
                ? { kind: 'write', values: [to, value, big], isNew: false, oldKey: [key], committedAt }
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
      expect(sorted(applyNet(start, collapseChanges(changes, HARD)))).toEqual(sorted(applyInOrder(start, changes)))
    }),
    { numRuns: 3000 },
  )
})

test('a change is counted once, also when it gives a row another key', () => {
  const start: Table = new Map([['a', ['a', '0', 'big a']]])
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const changes = toChanges(start, steps)
      const { rows } = collapseChanges(changes, HARD)
      const ownRows = rows.filter((row) => row.kind === 'write' || !row.isMoved)
      expect(ownRows.length).toBeLessThanOrEqual(changes.length)
    }),
    { numRuns: 1000 },
  )
})

test('a key has one change at most', () => {
  const changes: RowChange[] = [
    { kind: 'write', values: ['a', 'b', '1'], isNew: true, oldKey: null, committedAt },
    { kind: 'write', values: ['a', 'b', '2'], isNew: false, oldKey: null, committedAt },
    { kind: 'delete', key: ['a', 'b'], committedAt },
  ]
  expect(collapseChanges(changes, { key: [0, 1], deletedAt: null }).rows).toEqual([
    { kind: 'delete', key: ['a', 'b'], committedAt },
  ])
})

function markInOrder(table: Table, changes: readonly RowChange[]): Table {
  const rows = new Map([...table].map(([key, row]) => [key, [...row]]))
  const mark = (row: Row | undefined, at: string) => {
    if (row) row[3] ??= at
  }
  for (const change of changes) {
    const { committedAt: at } = change
    if (change.kind === 'truncate') for (const row of rows.values()) mark(row, at)
    else if (change.kind === 'delete') mark(rows.get(change.key[0] ?? ''), at)
    else {
      const before = rows.get(change.oldKey?.[0] ?? change.values[0] ?? '')
      const values = change.values.map((value, index) => (value === undefined ? (before?.[index] ?? null) : value))
      if (change.oldKey) mark(before, at)
      rows.set(change.values[0] ?? '', [...values.slice(0, 3), null])
    }
  }
  return rows
}

function markNet(table: Table, { truncatedAt, rows }: NetChanges): Table {
  const result: Table = new Map([...table].map(([key, row]) => [key, [...row.slice(0, 3), row[3] ?? truncatedAt]]))
  for (const row of rows) {
    if (row.kind === 'delete') {
      const there = result.get(row.key[0] ?? '')
      if (there) there[3] = row.committedAt
    } else {
      const before = table.get(row.from?.[0] ?? row.values[0] ?? '')
      const values = row.values.map((value, at) => (row.kept?.has(at) ? (before?.[at] ?? null) : value))
      result.set(row.values[0] ?? '', values)
    }
  }
  return result
}

test('deleted rows are marked alike, however many changes are taken together', () => {
  const start: Table = new Map([
    ['a', ['a', '0', 'big a', null]],
    ['b', ['b', '0', 'big b', null]],
    ['c', ['c', '0', 'big c', 'before']],
  ])
  const alive: Table = new Map([...start].filter(([, row]) => row[3] === null))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), fc.nat(25), (steps, cut) => {
      const changes = toChanges(alive, steps).map((change, at): RowChange => {
        const timed = { ...change, committedAt: String(at) }
        return timed.kind === 'write' ? { ...timed, values: [...timed.values, undefined] } : timed
      })
      const sorted = (table: Table) => [...table].toSorted(([one], [other]) => one.localeCompare(other))
      const expected = sorted(markInOrder(start, changes))
      expect(sorted(markNet(start, collapseChanges(changes, SOFT)))).toEqual(expected)
      const half = markNet(start, collapseChanges(changes.slice(0, cut), SOFT))
      expect(sorted(markNet(half, collapseChanges(changes.slice(cut), SOFT)))).toEqual(expected)
    }),
    { numRuns: 3000 },
  )
})
