import { expect, test } from 'vitest'
import { describePublish } from './publish-words.ts'

const missing = { kind: 'missing' as const, message: 'Choose a connection.' }
const wrong = { kind: 'invalid' as const, message: 'This name is taken.' }

test('the button says how the draft stands', () => {
  expect(describePublish('published', [])).toMatchObject({ label: 'Nothing to publish', canPublish: false })
  expect(describePublish('changed', [])).toMatchObject({ label: 'Publish changes', canPublish: true })
  expect(describePublish('never', [])).toMatchObject({ label: 'Publish', canPublish: true })
  expect(describePublish('incomplete', [missing])).toMatchObject({
    label: 'Incomplete: 1 missing',
    note: 'Choose a connection.',
    canPublish: false,
    leadsToFaults: true,
  })
  expect(describePublish('invalid', [missing, wrong])).toMatchObject({ label: 'Invalid: 2 to fix', canPublish: false })
})

test('many faults are named in part', () => {
  const faults = ['A', 'B', 'C', 'D', 'E'].map((message) => ({ ...missing, message }))
  expect(describePublish('incomplete', faults).note).toBe('A. B. C. And 2 more things.')
})
