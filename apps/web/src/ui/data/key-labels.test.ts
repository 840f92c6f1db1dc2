import { expect, test } from 'vitest'
import { keyLabels } from './key-labels.ts'

test('writes a shortcut as the platform does', () => {
  expect(keyLabels('mod+k', true)).toEqual(['⌘', 'K'])
  expect(keyLabels('mod+shift+p', false)).toEqual(['Ctrl', 'Shift', 'P'])
  expect(keyLabels('?', false)).toEqual(['?'])
})
