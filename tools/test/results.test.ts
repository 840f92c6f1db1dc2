import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addCounts, closingLines, countPlaywright, countVitest, readCounts } from './results.ts'

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
    { name: join(process.cwd(), 'a.test.ts'), status: 'failed', assertionResults: [] },
    { name: 'b.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'works' }] },
  ]
  expect(countVitest({ ...clean, testResults })).toEqual({
    passed: 5,
    failed: 1,
    skipped: 2,
    names: [{ outcome: 'failed', name: 'a.test.ts did not load' }],
  })
})

test('a run that ended badly is never clean', () => {
  const file = report(clean)
  const read = (exitCode: number, from = file) =>
    readCounts({ title: 'Tests', file: from, exitCode, count: countVitest })
  expect(read(1)).toMatchObject({ failed: 1, names: [{ outcome: 'failed', name: 'Tests ended with 1' }] })
  expect(read(0)).toMatchObject({ failed: 0, names: [] })
  expect(read(0, join(folder, 'missing.json')).failed).toBe(1)
})

test('the closing lines add up all parts and name what did not pass', () => {
  const spec = (title: string, status: string) => ({ title, file: 'gate.spec.ts', tests: [{ status }] })
  const browser = countPlaywright({
    stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 },
    suites: [
      {
        title: 'gate.spec.ts',
        specs: [spec('opens', 'expected'), spec('closes', 'unexpected')],
        suites: [{ title: 'at night', specs: [spec('locks', 'skipped'), spec('rings', 'flaky')] }],
      },
    ],
  })
  const testResults = [
    {
      name: join(process.cwd(), 'a.test.ts'),
      status: 'failed',
      assertionResults: [
        { status: 'failed', fullName: 'adds' },
        { status: 'pending', fullName: 'takes away' },
      ],
    },
  ]
  expect(closingLines(addCounts([countVitest({ ...clean, numFailedTests: 1, testResults }), browser]))).toEqual([
    '9 passed, 2 failed, 4 skipped',
    'flaky: gate.spec.ts > at night > rings',
    'skipped: a.test.ts > takes away',
    'skipped: gate.spec.ts > at night > locks',
    'failed: a.test.ts > adds',
    'failed: gate.spec.ts > closes',
  ])
})
