import type { TableLine } from '@trellis/contract/explorer/explorer.schemas'
import { expect, test } from 'vitest'
import { findTyped, nodeKey, treeRows, treeStep, type Branch } from './tree-rows.ts'

const database = {
  integration_trellis_code: 'db',
  name: 'Growth',
  kind: 'managed',
  state: 'online',
  size_bytes: 1,
} as const
const line = (name: string) => ({ name, kind: 'table', labels: [], size_bytes: 0 }) as unknown as TableLine
const branch = <T>(items: T[], more: Partial<Branch<T>> = {}): Branch<T> => ({
  items,
  isLoading: false,
  hasMore: false,
  problem: null,
  ...more,
})
const open = new Set([nodeKey('db'), nodeKey('db', 'shop')])
const rowsWith = (tables: Branch<TableLine>, schemas = branch(['public', 'shop'])) =>
  treeRows({
    databases: [database],
    isOpen: (key) => open.has(key),
    getSchemas: () => schemas,
    getTables: () => tables,
  })
const labels = (rows: ReturnType<typeof rowsWith>) => rows.map((row) => `${row.level} ${row.kind} ${row.label}`)

test('only what is unfolded has lines', () => {
  expect(labels(rowsWith(branch([line('orders'), line('users')])))).toEqual([
    '1 database Growth',
    '2 schema public',
    '2 schema shop',
    '3 table orders',
    '3 table users',
  ])
})

test('loading, empty, failed and unfinished branches say so', () => {
  expect(labels(rowsWith(branch([], { isLoading: true }))).at(-1)).toBe('3 note Loading')
  expect(labels(rowsWith(branch([]))).at(-1)).toBe('3 note No tables yet')
  expect(labels(rowsWith(branch([], { problem: 'No answer.' }))).at(-1)).toContain('No answer.')
  expect(rowsWith(branch([line('orders')], { hasMore: true })).at(-1)).toMatchObject({
    kind: 'more',
    of: nodeKey('db', 'shop'),
  })
})

test('names that look like paths are still different nodes', () => {
  expect(nodeKey('a', 'b","c')).not.toBe(nodeKey('a', 'b', 'c'))
})

test('right goes in, left goes out', () => {
  const rows = rowsWith(branch([line('orders'), line('users')]))
  expect(treeStep(rows, 1, 'ArrowRight')).toEqual({ toggle: 1 })
  expect(treeStep(rows, 2, 'ArrowRight')).toEqual({ to: 3 })
  expect(treeStep(rows, 4, 'ArrowLeft')).toEqual({ to: 2 })
  expect(treeStep(rows, 2, 'ArrowLeft')).toEqual({ toggle: 2 })
  expect(treeStep(rows, 4, 'ArrowDown')).toEqual({ to: 4 })
  expect(treeStep(rows, 0, 'x')).toBeNull()
})

test('typing finds the next line that begins so, and goes round', () => {
  const rows = rowsWith(branch([line('orders'), line('other'), line('users')]))
  expect(findTyped(rows, 0, 'o')).toBe(3)
  expect(findTyped(rows, 3, 'o')).toBe(4)
  expect(findTyped(rows, 3, 'ot')).toBe(4)
  expect(findTyped(rows, 4, 'o')).toBe(3)
  expect(findTyped(rows, 0, 'zz')).toBeUndefined()
})
