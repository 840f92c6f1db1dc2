import { expect, test } from 'vitest'
import { changedTexts, isChanged } from './description/changed-texts.ts'
import { findProblem } from './dialogs/table-draft.ts'
import { explorerPaths } from './explorer-paths.ts'
import { loadText } from './load-words.ts'
import { formatFilter, typeGroup } from './preview/filter-words.ts'
import { formatJsonText } from './preview/readable.ts'
import { readView, writeView } from './preview/use-rows-view.ts'
import { describeDistinct } from './table/distinct.ts'
import { highlight } from './tree/highlight.ts'

test('whatever a name holds, its address leads back to it', () => {
  const paths = explorerPaths('/acme/main')
  const path = paths.table({ database: 'db', schema: 'a/b', table: 'x?y#z %' }, 'details')
  expect(path).toBe('/acme/main/explorer/db/schema/a%2Fb/table/x%3Fy%23z%20%25/details')
})

test('filters and order live in the address and survive it', () => {
  const view = {
    filters: [{ column: 'a b', operator: 'in' as const, value: 'x\ny' }],
    sort: { key: '-odd', direction: 'desc' as const },
  }
  expect(readView(writeView(new URLSearchParams('keep=1'), view))).toEqual(view)
  expect(writeView(new URLSearchParams('sort=x&dir=desc&keep=1'), { filters: [], sort: null }).toString()).toBe(
    'keep=1',
  )
  expect(readView(new URLSearchParams('filters=[{"column":1}]'))).toEqual({ filters: [], sort: null })
  expect(readView(new URLSearchParams('filters=nonsense'))).toEqual({ filters: [], sort: null })
})

test('a filter reads as a sentence', () => {
  expect(formatFilter({ column: 'at', operator: 'lt', value: '2026-01-01' }, 'time')).toBe('at is before 2026-01-01')
  expect(formatFilter({ column: 's', operator: 'in', value: 'a\nb\n' }, 'text')).toBe('s is one of a, b')
  expect(formatFilter({ column: 's', operator: 'is_null' }, 'text')).toBe('s is empty (NULL)')
  expect(
    ['numeric(12,2)', 'timestamp with time zone', 'boolean', 'jsonb', 'integer[]', 'citext'].map(typeGroup),
  ).toEqual(['number', 'time', 'boolean', 'json', 'text', 'text'])
})

test('JSON is set out without changing a letter of its values', () => {
  expect(formatJsonText('{"n": 12345678901234567890, "s": "a, {b}: \\"c\\"", "e": [], "l": [1, {}]}', 'jsonb')).toBe(
    '{\n  "n": 12345678901234567890,\n  "s": "a, {b}: \\"c\\"",\n  "e": [],\n  "l": [\n    1,\n    {}\n  ]\n}',
  )
  expect(formatJsonText('{not json', 'text')).toBe('{not json')
})

test('only what was changed is sent', () => {
  const saved = {
    description: 'a',
    columns: [
      { name: 'x', description: '' },
      { name: 'y', description: 'old' },
    ],
  }
  const typed = {
    description: 'a',
    columns: [
      { name: 'x', description: 'new' },
      { name: 'y', description: 'old' },
    ],
  }
  expect(changedTexts(saved, typed)).toEqual({ columns: [{ name: 'x', description: 'new' }] })
  expect(isChanged(saved, { ...saved })).toBe(false)
})

test('how many values differ, in both ways the planner says it', () => {
  expect(describeDistinct(-1, 500)).toEqual({ share: 1, text: 'All different' })
  expect(describeDistinct(-0.5, 1000)).toEqual({ share: 0.5, text: 'about 500' })
  expect(describeDistinct(3, 1000)).toEqual({ share: 0.003, text: 'about 3' })
  expect(describeDistinct(3, null)).toEqual({ share: null, text: 'about 3' })
  expect(describeDistinct(0, 10).share).toBeNull()
})

test('two columns of one name are found before the server is asked', () => {
  expect(findProblem({ success: true }, [{ name: 'a' }, { name: ' a' }])).toBe('There are two columns called “a”.')
  const error = { issues: [{ message: 'too long', path: ['columns', 1, 'name'] }] }
  expect(findProblem({ success: false, error }, [{ name: 'a' }, { name: 'b' }])).toBe('Column “b”: too long')
})

test('loads and hits in words', () => {
  expect(loadText({ mode: 'append', rows: 1 })).toBe('1 row appended')
  expect(highlight('Orders', 'DER')).toEqual([
    { text: 'Or', isHit: false },
    { text: 'der', isHit: true },
    { text: 's', isHit: false },
  ])
  expect(highlight('Orders', 'zz')).toEqual([{ text: 'Orders', isHit: false }])
})
