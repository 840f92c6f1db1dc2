import { expect, test } from 'vitest'
import { canPick, treeLines } from './answer-tree.ts'
import { createHistory, recordChange, redoHistory, undoHistory } from '../../ui/forms/history.ts'
import { emptyManifest, findManifestFaults, plainPath, getValueAtPath, withIn } from './manifest-draft.ts'

test('a place is changed without touching the rest, and taken out with undefined', () => {
  const manifest = { ...emptyManifest(), inputs: [{ reference: 'a', label: 'A', is_secret: false }] }
  const named = withIn(manifest, 'streams.0.request.path', '/orders')
  expect(getValueAtPath(named, 'streams.0.request.path')).toBe('/orders')
  expect(getValueAtPath(manifest, 'streams.0.request.path')).toBe('/records')
  expect(Array.isArray(named.streams)).toBe(true)
  expect(withIn(manifest, 'inputs.0', undefined).inputs).toEqual([])
  expect('cursor' in (withIn(manifest, 'streams.0.cursor', undefined).streams[0] ?? {})).toBe(false)
})

test('the server’s ways of naming a place are one', () => {
  for (const path of ['streams[0].records', '/streams/0/records', 'streams.0.records']) {
    expect(plainPath(path)).toBe('streams.0.records')
  }
})

test('faults are found at their places, in words', () => {
  const findFaults = (path: string, value: unknown) => findManifestFaults(withIn(emptyManifest(), path, value))
  expect(findFaults('base_url', 'https://a.example.com')).toEqual([])
  expect(findFaults('base_url', 'api')[0]?.message).toContain('whole address')
  expect(findFaults('streams.0.name', 'Orders!')[0]).toMatchObject({ path: 'streams.0.name' })
  expect(findFaults('streams.0.records', 'a b')[0]?.message).toContain('data.items')
  expect(findFaults('streams', [])[0]?.message).toContain('at least one stream')
})

test('typing at one place is one step', () => {
  const steps = ['a', 'ab', 'abc'].reduce((history, text) => recordChange(history, text, 'name'), createHistory(''))
  const more = recordChange(steps, 'abc!', 'other')
  expect(undoHistory(more).now).toBe('abc')
  expect(undoHistory(undoHistory(more)).now).toBe('')
  expect(redoHistory(undoHistory(more)).now).toBe('abc!')
  expect(undoHistory(createHistory('x')).now).toBe('x')
})

test('an answer is read as lines, of which lists can be picked', () => {
  const lines = treeLines({ data: { items: [{ id: 1 }], 'odd name': [] } }, () => true)
  expect(lines.map(({ path }) => path)).toEqual([
    '',
    'data',
    'data.items',
    'data.items[]',
    'data.items[].id',
    'data.odd name',
  ])
  expect(lines.filter(canPick).map(({ path }) => path)).toEqual(['data.items'])
  expect(treeLines([1, 2], () => false).filter(canPick)).toHaveLength(1)
})
