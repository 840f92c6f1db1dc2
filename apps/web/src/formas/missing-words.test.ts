import type { Forma } from '@trellis/contract/formas/forma'
import { REQUIRED } from '@trellis/contract/formas/forma-rules'
import { expect, test } from 'vitest'
import { describeMissing } from './missing-words.ts'

const text = (reference: string, label: string) =>
  ({ reference, label, order: 1, type: 'text', data_type: 'str', properties: {} }) as const
const forma: Forma = {
  forma_trellis_code: 'a',
  title: 'A',
  sections: [
    {
      reference: 'connection',
      order: 1,
      title: 'Connection',
      is_required: true,
      elements: [text('host', 'Host'), text('port', 'Port'), text('password', 'Password')],
    },
  ],
}
const judge = (problems: Record<string, string>, isComplete = false) => ({ forma, problems, isComplete })

test('says what is missing and what is not right, by the words of the form', () => {
  const problems = {
    'connection.host': REQUIRED,
    'connection.password': REQUIRED,
    'connection.port': 'Enter a whole number.',
  }
  expect(describeMissing(judge(problems), ['Name'])).toBe(
    'Still to fill in: Name, Host and Password. Not right yet: Port.',
  )
  expect(describeMissing(judge({}), ['Name'])).toBe('Still to fill in: Name.')
  expect(describeMissing(judge({}))).toMatch(/not complete/)
  expect(describeMissing(judge({}, true))).toBeUndefined()
})
