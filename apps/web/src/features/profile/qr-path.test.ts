import { expect, test } from 'vitest'
import { qrPath } from './qr-path.ts'

test('joins the dark squares of a row', () => {
  expect(qrPath([[true, true, false, true]])).toBe('M0 0h2v1h-2zM3 0h1v1h-1z')
  expect(qrPath([[false], [true]])).toBe('M0 1h1v1h-1z')
  expect(qrPath([[false, false]])).toBe('')
})
