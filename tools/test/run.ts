import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findMariadb, installMariadb, mariadbAdvice } from './mariadb.ts'
import { chromiumAdvice, findChromium, installChromium } from './chromium.ts'
import { addCounts, closingLines, countPlaywright, countVitest, readCounts, type Counts } from './results.ts'

const root = join(import.meta.dirname, '..', '..')
const reports = mkdtempSync(join(tmpdir(), 'trellis-reports-'))
/** The compile cache, shared by all processes the tests start. */
const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/trellis') }
/** Pure packages, without database, server or browser. */
const QUICK = ['assistant', 'connector-kit', 'contract', 'dataflow-engine', 'loads/src/plan', 'sql-grammar'].map(
  (name) => `packages/${name}/`,
)
const isQuick = process.argv.includes('--quick')
const playwright = ['node_modules/@playwright/test/cli.js', 'test']

let present: ChildProcess | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    present?.once('exit', () => process.exit(130))
    present?.kill(signal)
  })
}

function run(args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...compiled, ...env },
    })
    present = child
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

function printHeader(title: string): void {
  process.stdout.write(`\n== ${title} ==\n`)
}

async function runChecks(): Promise<Counts> {
  printHeader('Checks')
  const exitCode = await run(['tools/check/check.ts'])
  if (exitCode === 0) return { passed: 1, failed: 0, skipped: 0, names: [] }
  return { passed: 0, failed: 1, skipped: 0, names: [{ outcome: 'failed', name: 'Checks' }] }
}

async function runVitest(paths: readonly string[] = []): Promise<Counts> {
  printHeader('Tests')
  if (!isQuick && !findMariadb()) installMariadb()
  if (!isQuick && !findMariadb()) process.stdout.write(`SKIPPED: ${mariadbAdvice}\n`)
  const file = join(reports, 'vitest.json')
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...paths,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  return readCounts({ title: 'Tests', file, exitCode: await run(args), count: countVitest })
}

async function runBrowser(): Promise<Counts> {
  printHeader('Browser')
  const file = join(reports, 'playwright.json')
  installChromium()
  const chromium = findChromium()
  if (!chromium) return await skipBrowser(file)
  const env = { TRELLIS_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const exitCode = await run([...playwright, '--reporter=list,json'], env)
  return readCounts({ title: 'Browser', file, exitCode, count: countPlaywright })
}

async function skipBrowser(file: string): Promise<Counts> {
  process.stdout.write(`SKIPPED: ${chromiumAdvice}\n`)
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const exitCode = await run([...playwright, '--list', '--reporter=json'], env)
  const { passed, failed, skipped } = readCounts({ title: 'Browser', file, exitCode, count: countPlaywright })
  return { passed: 0, failed, skipped: passed + skipped, names: [{ outcome: 'skipped', name: 'Browser, all of it' }] }
}

try {
  const total = isQuick
    ? addCounts([await runChecks(), await runVitest(QUICK)])
    : addCounts([await runChecks(), await runVitest(), await runBrowser()])
  process.stdout.write(`\n${closingLines(total).join('\n')}\n`)
  process.exitCode = total.failed === 0 ? 0 : 1
} finally {
  rmSync(reports, { recursive: true, force: true })
}
