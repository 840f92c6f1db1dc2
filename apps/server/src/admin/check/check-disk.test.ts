import { expect, test } from 'vitest'
import { checkFreeSpace } from './check-disk.ts'

test.each([
  [100 * 1024 ** 2, 'failed'],
  [1024 ** 3, 'warning'],
  [10 * 1024 ** 3, 'ok'],
])('%d bytes free: %s', (free, status) => {
  expect(checkFreeSpace('/data', free)).toMatchObject({ check: 'disk space', status })
})
