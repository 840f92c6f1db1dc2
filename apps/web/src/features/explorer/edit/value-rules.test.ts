import { expect, test } from 'vitest'
import { findExample, findInputKind, findValueProblem, listChoices } from './value-rules.ts'

test.each([
  ['boolean', 'choice'],
  ['date', 'date'],
  ['jsonb', 'json'],
  ['numeric(12,2)', 'number'],
  ['integer[]', 'lines'],
  ['text', 'lines'],
  ['character varying(20)', 'lines'],
  ['timestamp with time zone', 'line'],
  ['uuid', 'line'],
])('%s is written as %s', (type, kind) => {
  expect(findInputKind({ type, labels: null })).toBe(kind)
})

test('an enum is chosen from its labels', () => {
  expect(findInputKind({ type: 'data.mood', labels: ['happy'] })).toBe('choice')
  expect(listChoices({ type: 'data.mood', labels: ['happy', 'so so'] })).toEqual(['happy', 'so so'])
  expect(listChoices({ type: 'boolean', labels: null })).toEqual(['true', 'false'])
})

test('values that can not be are told before they are sent', () => {
  expect(findValueProblem('integer', '1.5')).toBe('Enter a whole number.')
  expect(findValueProblem('integer', ' 15 ')).toBeUndefined()
  expect(findValueProblem('numeric(12,2)', '1e5')).toBeUndefined()
  expect(findValueProblem('double precision', 'NaN')).toBeUndefined()
  expect(findValueProblem('real', 'x')).toBe('Enter a number.')
  expect(findValueProblem('jsonb', '{')).toMatch(/^This is not valid JSON/)
  expect(findValueProblem('json', 'null')).toBeUndefined()
  expect(findValueProblem('text', '')).toBeUndefined()
})

test('types people mistype have an example', () => {
  expect(findExample('timestamp without time zone')).toBe('2026-01-31 14:30:00')
  expect(findExample('integer[]')).toBe('{1,2,3}')
  expect(findExample('text')).toBeUndefined()
})
