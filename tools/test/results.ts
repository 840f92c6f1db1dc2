import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Test names come last, since often only the end of a log is shown. */
  names: NameCell[]
}

interface NameCell {
  outcome: 'failed' | 'skipped' | 'flaky'
  name: string
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { name?: string; status: string; assertionResults: { status?: string; fullName?: string }[] }[]
}

interface PlaywrightSuite {
  title: string
  suites?: PlaywrightSuite[]
  specs?: { title: string; file: string; tests: { status: string }[] }[]
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
  suites?: PlaywrightSuite[]
}

const SKIPPED = new Set(['skipped', 'pending', 'todo', 'disabled'])

/** A file that fails to load counts as one failure. */
export function countVitest(report: VitestReport): Counts {
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
    names: report.testResults.flatMap(namesInFile),
  }
}

function namesInFile({ name = '', status, assertionResults }: VitestReport['testResults'][number]): NameCell[] {
  const file = relative(process.cwd(), name)
  if (status === 'failed' && assertionResults.length === 0) return [{ outcome: 'failed', name: `${file} did not load` }]
  return assertionResults.flatMap((test): NameCell[] => {
    const outcome = test.status === 'failed' ? 'failed' : SKIPPED.has(test.status ?? '') ? 'skipped' : undefined
    return outcome ? [{ outcome, name: `${file} > ${test.fullName ?? ''}` }] : []
  })
}

export function countPlaywright({ stats, suites = [] }: PlaywrightReport): Counts {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    names: suites.flatMap((suite) => namesInSuite(suite, [])),
  }
}

const OUTCOMES: Record<string, NameCell['outcome']> = { unexpected: 'failed', skipped: 'skipped', flaky: 'flaky' }

function namesInSuite({ title, suites = [], specs = [] }: PlaywrightSuite, above: readonly string[]): NameCell[] {
  const path = [...above, title]
  const own = specs.flatMap((spec) =>
    spec.tests.flatMap(({ status }): NameCell[] => {
      const outcome = OUTCOMES[status]
      return outcome ? [{ outcome, name: [...path, spec.title].join(' > ') }] : []
    }),
  )
  return [...own, ...suites.flatMap((suite) => namesInSuite(suite, path))]
}

/** A run with a bad exit code never counts as passed, whatever its report says. */
export function readCounts(run: {
  title: string
  file: string
  exitCode: number
  count: (report: never) => Counts
}): Counts {
  const counts = readReport(run.file, run.count)
  const ended: NameCell = { outcome: 'failed', name: `${run.title} ended with ${run.exitCode}` }
  if (counts === undefined) return { passed: 0, failed: 1, skipped: 0, names: [ended] }
  if (run.exitCode === 0 || counts.failed > 0) return counts
  return { ...counts, failed: 1, names: [...counts.names, ended] }
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
    names: [...sum.names, ...part.names],
  }))
}

function closingLine({ passed, failed, skipped }: Omit<Counts, 'names'>): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

const ORDER: readonly NameCell['outcome'][] = ['flaky', 'skipped', 'failed']
const MAX_NAMES = 60

export function closingLines(counts: Counts): string[] {
  const named = ORDER.flatMap((outcome) => {
    const names = counts.names.filter((test) => test.outcome === outcome).map(({ name }) => `${outcome}: ${name}`)
    const more = names.length - MAX_NAMES
    return more > 0 ? [...names.slice(0, MAX_NAMES), `${outcome}: and ${more} more`] : names
  })
  return [closingLine(counts), ...named]
}
