import type { Validation } from '@trellis/contract/uploads/uploads.schemas'
import { expect, test } from 'vitest'
import { canDeliver, deliverLabel, diffSegments, countRowsToDeliver } from './check/outcome.ts'
import { parseLoadMode } from './upload-scope.ts'
import { computeJobShare, getRowCount, formatUploadState, getStep } from './wizard.ts'

const running = (kind: 'pre_process' | 'validate' | 'deliver') => ({ kind, status: 'in_progress' as const })

test('the step is known from the file and its latest job', () => {
  expect(getStep(null, null, false)).toBe('file')
  expect(getStep({ state: 'uploading' }, null, false)).toBe('file')
  expect(getStep({ state: 'uploaded' }, null, false)).toBe('reading')
  expect(getStep({ state: 'uploaded' }, running('pre_process'), false)).toBe('reading')
  expect(getStep({ state: 'profiled' }, { kind: 'pre_process', status: 'completed' }, false)).toBe('model')
  expect(getStep({ state: 'profiled' }, running('pre_process'), false)).toBe('reading')
  expect(getStep({ state: 'profiled' }, running('validate'), false)).toBe('checking')
  expect(getStep({ state: 'validated' }, { kind: 'validate', status: 'completed' }, false)).toBe('result')
  expect(getStep({ state: 'validated' }, { kind: 'validate', status: 'completed' }, true)).toBe('model')
  expect(getStep({ state: 'validated' }, running('deliver'), false)).toBe('delivering')
  expect(getStep({ state: 'validated' }, { kind: 'deliver', status: 'failed' }, false)).toBe('result')
  expect(getStep({ state: 'delivered' }, null, false)).toBe('done')
  expect(getStep({ state: 'failed' }, { kind: 'pre_process', status: 'failed' }, false)).toBe('reading')
})

test('the list says what the table has from a file', () => {
  expect(getRowCount({ state: 'profiled', rows: 100, loaded_rows: null })).toBe(100)
  expect(getRowCount({ state: 'delivered', rows: 100, loaded_rows: 97 })).toBe(97)
  expect(getRowCount({ state: 'delivered', rows: 100, loaded_rows: 0 })).toBe(0)
  expect(formatUploadState({ state: 'delivered', is_taken_back: false }).text).toBe('Delivered')
  expect(formatUploadState({ state: 'delivered', is_taken_back: true }).text).toBe('Undone')
})

const found = (change: Partial<Validation> = {}): Validation => ({
  rows: 100,
  good_rows: 97,
  bad_rows: 3,
  has_more_bad_rows: false,
  first_bad_rows: [],
  diff: null,
  warnings: [],
  ...change,
})

test('bad rows hold a delivery up until something is chosen', () => {
  expect(canDeliver(found(), 'stop')).toBe(false)
  expect(canDeliver(found(), 'quarantine')).toBe(true)
  expect(countRowsToDeliver(found(), 'quarantine')).toBe(97)
  expect(countRowsToDeliver(found(), 'set_null')).toBe(100)
  expect(canDeliver(found({ bad_rows: 0, good_rows: 100 }), 'stop')).toBe(true)
  expect(canDeliver(found({ has_more_bad_rows: true }), 'quarantine')).toBe(false)
  expect(canDeliver(found({ good_rows: 0, bad_rows: 100 }), 'quarantine')).toBe(false)
  expect(deliverLabel('new', 0)).toBe('Make the table')
  expect(deliverLabel('append', 1)).toBe('Append 1 row')
  expect(deliverLabel('replace', 2004)).toBe('Replace by 2,004 rows')
  expect(deliverLabel('upsert', 2)).toBe('Upsert 2 rows')
})

test('rows that are not in the file are lost only by a replace', () => {
  const diff = { keys: ['id'], new_rows: 1, changed_rows: 2, same_rows: 3, missing_rows: 4, samples: [] }
  expect(diffSegments(diff, 'replace').at(-1)).toMatchObject({ value: 4, tone: 'danger' })
  expect(diffSegments(diff, 'append').at(-1)?.label).toContain('stay')
  expect(diffSegments(diff, 'upsert').at(-1)?.label).toContain('stay')
})

test('a table called replace is still appended to', () => {
  const base = '/a/w/explorer/db/schema/replace/table/replace'
  expect(parseLoadMode(`${base}/append`, true)).toBe('append')
  expect(parseLoadMode(`${base}/replace`, true)).toBe('replace')
  expect(parseLoadMode(`${base}/replace/x/success`, true)).toBe('replace')
  expect(parseLoadMode(`${base}/upsert/x/success`, true)).toBe('upsert')
  expect(parseLoadMode('/a/w/explorer/db/schema/replace/files/new', false)).toBe('new')
})

test('a job that can’t tell its size stands at the beginning', () => {
  expect(computeJobShare({ progress: { done_bytes: 1, total_bytes: 0, rows: 0, step: '' } })).toBe(0)
  expect(computeJobShare({ progress: { done_bytes: 1, total_bytes: 4, rows: 0, step: '' } })).toBe(0.25)
})
