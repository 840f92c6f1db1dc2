import { expect, test } from 'vitest'
import { publishWords } from './publish-words.ts'

const missing = { kind: 'missing' as const, message: 'Choose a connection.' }
const wrong = { kind: 'invalid' as const, message: 'This name is taken.' }

test('the button says how the draft stands', () => {
  expect(publishWords('published', [])).toMatchObject({ label: 'Nothing to publish', canPublish: false })
  expect(publishWords('changed', [])).toMatchObject({ label: 'Publish changes', canPublish: true })
  expect(publishWords('never', [])).toMatchObject({ label: 'Publish', canPublish: true })
  expect(publishWords('incomplete', [missing])).toMatchObject({
    label: 'Incomplete: 1 missing',
    note: 'Choose a connection.',
    canPublish: false,
    leadsToFaults: true,
  })
  expect(publishWords('invalid', [missing, wrong])).toMatchObject({ label: 'Invalid: 2 to fix', canPublish: false })
})

test('many faults are named in part', () => {
  const faults = ['A', 'B', 'C', 'D', 'E'].map((message) => ({ ...missing, message }))
  expect(publishWords('incomplete', faults).note).toBe('A. B. C. And 2 more things.')
})
