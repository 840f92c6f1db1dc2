import { expect, test } from 'vitest'
import { parseChangesQuestion } from './changes-question.ts'

const now = new Date('2026-03-10T12:00:00Z')

test.each([
  ['What changed since yesterday?', '2026-03-09'],
  ['what changed', '2026-03-09'],
  ["what's new since yesterday", '2026-03-09'],
  ['what has changed in my data in the last 7 days', '2026-03-03'],
  ['Which tables were loaded today?', '2026-03-10'],
  ['what happened since 2026-03-01', '2026-03-01'],
])('%s asks for changes from %s on', (text, day) => {
  expect(parseChangesQuestion(text, now)?.since.toISOString().slice(0, 10)).toBe(day)
})

test.each([
  'which products changed price since yesterday',
  'what changed in orders of Ada',
  'new customers since yesterday',
  'how many orders were loaded',
  'what is new revenue by country',
])('%s asks for something else', (text) => {
  expect(parseChangesQuestion(text, now)).toBeUndefined()
})
