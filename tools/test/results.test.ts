import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addCounts, closingLine, countPlaywright, countVitest, readCounts } from './results.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-results-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function report(value: unknown): string {
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(value))
  return file
}

const clean = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }

test('a test file that does not load counts as a failure', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{}] },
  ]
  expect(countVitest({ ...clean, testResults })).toEqual({ passed: 5, failed: 1, skipped: 2 })
})

test('a run that ended badly is never clean', () => {
  const file = report(clean)
  expect(readCounts({ file, exitCode: 1, count: countVitest }).failed).toBe(1)
  expect(readCounts({ file, exitCode: 0, count: countVitest }).failed).toBe(0)
  expect(readCounts({ file: join(folder, 'missing.json'), exitCode: 0, count: countVitest }).failed).toBe(1)
})

test('the closing line adds up all parts', () => {
  const browser = countPlaywright({ stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 } })
  expect(closingLine(addCounts([countVitest(clean), browser]))).toBe('9 passed, 1 failed, 4 skipped')
})
