import type { SparkParameter } from '@trellis/contract/sparks/spark-content.schemas'
import { expect, test } from 'vitest'
import { moveItem } from './edit/block-forms.ts'
import { createNextKey } from './edit/next-key.ts'
import { guessColumns, isOfKind } from './new/guess-columns.ts'
import { formatContent } from './versions/format-content.ts'
import { readParameters, writeParameters } from './view/url-parameters.ts'

const country: SparkParameter = { key: 'country', label: 'Country', type: 'text', initial: 'NO', options_from: null }

test('parameters are kept in the address; the initial value leaves no trace and "all" is an empty text', () => {
  const address = new URLSearchParams('version=x')
  expect(readParameters([country], address)).toEqual({ country: 'NO' })
  const selected = writeParameters([country], { country: 'IT' }, address)
  expect(selected.toString()).toBe('version=x&p.country=IT')
  expect(readParameters([country], selected)).toEqual({ country: 'IT' })
  const all = writeParameters([country], { country: null }, selected)
  expect(readParameters([country], all)).toEqual({ country: null })
  expect(writeParameters([country], { country: 'NO' }, all).toString()).toBe('version=x')
})

test('columns are guessed by type, each once, and keys are not added up', () => {
  const field = (key: string, kinds: ('number' | 'time' | 'category' | 'any')[], is_required = true) => ({
    key,
    label: key,
    hint: '',
    kinds,
    is_required,
    is_list: false,
  })
  const columns = [
    { name: 'id', type: 'bigint' },
    { name: 'placed_at', type: 'timestamp with time zone' },
    { name: 'amount', type: 'numeric(12,2)' },
    { name: 'status', type: 'text' },
  ]
  expect(
    guessColumns([field('value', ['number']), field('time', ['time']), field('split', ['category'], false)], columns),
  ).toEqual({ value: ['amount'], time: ['placed_at'], split: [] })
  expect(isOfKind('text', ['number', 'any'])).toBe(true)
})

test('new keys are free, and items move within their list', () => {
  expect(createNextKey('source', [{ key: 'source_1' }, { key: 'x' }])).toBe('source_2')
  expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(moveItem(['a', 'b', 'c'], 0, 9)).toEqual(['b', 'c', 'a'])
})

test('content is told line by line, so that a change shows where it is', () => {
  const text = formatContent({
    sources: [{ key: 'a', name: 'A', integration_trellis_code: 'x-db', sql: 'select 1\nfrom t', max_age_seconds: 60 }],
    parameters: [country],
    body: { kind: 'blocks', blocks: [{ kind: 'heading', width: 'full', text: 'Hello' }] },
  })
  expect(text.split('\n')).toEqual(expect.arrayContaining(['select 1', 'from t', 'Block 1: heading']))
})
