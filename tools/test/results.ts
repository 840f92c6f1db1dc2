import { readFileSync } from 'node:fs'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

/** A file that cannot even be loaded holds no tests to fail, so it counts as one failure itself. */
export function countVitest(report: VitestReport): Counts {
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

export function countPlaywright({ stats }: PlaywrightReport): Counts {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
}

/** The counts of a run; one that ended badly never counts as clean, whatever its report says or whether it wrote one. */
export function readCounts(run: { file: string; exitCode: number; count: (report: never) => Counts }): Counts {
  const counts = readReport(run.file, run.count)
  if (counts === undefined) return { passed: 0, failed: 1, skipped: 0 }
  return run.exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function readReport(file: string, count: (report: never) => Counts): Counts | undefined {
  try {
    return count(JSON.parse(readFileSync(file, 'utf8')) as never)
  } catch {
    return undefined
  }
}

export function addCounts(all: Counts[]): Counts {
  return all.reduce((sum, part) => ({
    passed: sum.passed + part.passed,
    failed: sum.failed + part.failed,
    skipped: sum.skipped + part.skipped,
  }))
}

export function closingLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
