import type { RestStream } from '@trellis/contract/integrations/rest-manifest'
import { expect, test } from 'vitest'
import { mergeByKey } from './field-chunks.ts'

const stream = { name: 'people', records: 'people', key: ['id'], request: { path: '/' } } as RestStream

test('answers with different fields are merged by key; records without a key stay apart', () => {
  const names = [{ id: 1, name: 'Ada' }, { id: null, name: 'Bo' }, { name: 'Cy' }, 'no record']
  expect(mergeByKey(stream, [names, [{ id: 1, age: 36 }]])).toEqual([
    { id: 1, name: 'Ada', age: 36 },
    { id: null, name: 'Bo' },
    { name: 'Cy' },
    'no record',
  ])
})
