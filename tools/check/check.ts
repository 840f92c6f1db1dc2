import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkBoundaries } from '../boundaries/check-boundaries.ts'
import { repoFiles } from './repo-files.ts'
import { type Step, type StepResult, runForProblems, runCommand, runStep } from './run-step.ts'
import { findBadDependencies } from './steps/dependencies.ts'
import { findBadNames, findCrowdedFolders, findLongFiles, findMissingReadmes } from './steps/file-rules.ts'
import { findForbiddenWords } from './steps/forbidden-words.ts'
import { lintOpenapi } from './steps/openapi-lint.ts'
import { findBadMigrations, findEditedMigrations } from './steps/migrations.ts'
import { findSqlOutsideRepositories } from './steps/sql-in-repositories.ts'
import { findPrivateNames } from './steps/vocabulary.ts'

const MAX_SHOWN = 40

const root = resolve(import.meta.dirname, '../..')
const isFix = process.argv.includes('--fix')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** Runs the tools' scripts with this Node: shims in `.bin` use the first one in PATH. */
const toNodeCommand = (script: string, ...args: string[]) => [
  process.execPath,
  join(root, 'node_modules', script),
  ...args,
]

async function findOpenapiDrift(): Promise<string[]> {
  const printed = await runCommand(root, [process.execPath, 'apps/server/src/http/print-openapi.ts'])
  if (printed.code !== 0) return [printed.output]
  if (printed.stdout === read('docs/openapi.json')) return []
  return ['docs/openapi.json is not what the contract says: npm run -s openapi > docs/openapi.json']
}

/** Incremental build information speeds up the next run. */
async function checkTypes(name: string, project: string): Promise<string[]> {
  const kept = join(root, 'node_modules/.cache/trellis', `types-${name}.tsbuildinfo`)
  const tsc = toNodeCommand('typescript/bin/tsc', '-p', project, '--incremental', '--tsBuildInfoFile', kept)
  return await runForProblems(root, tsc)
}

async function fixLint(): Promise<string[]> {
  await runCommand(root, toNodeCommand('oxlint/bin/oxlint', '--fix'))
  return []
}

const format = toNodeCommand('oxfmt/bin/oxfmt', '--check')
const knip = toNodeCommand('knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors')
const lint = toNodeCommand('oxlint/bin/oxlint', '--max-warnings=0', '--format=unix')

/** In sequence, since both write to the same files. */
const FIXES: Step[] = [
  { name: 'fix lint', run: fixLint },
  { name: 'fix format', run: () => runForProblems(root, toNodeCommand('oxfmt/bin/oxfmt')) },
]

const COMMANDS: Step[] = [
  { name: 'types (server)', run: () => checkTypes('server', 'tsconfig.json') },
  { name: 'lint', run: () => runForProblems(root, lint) },
  { name: 'dead code', run: () => runForProblems(root, knip) },
  { name: 'dead code (ships)', run: () => runForProblems(root, [...knip, '--production']) },
  { name: 'types (web)', run: () => checkTypes('web', 'apps/web/tsconfig.json') },
  { name: 'format', run: () => runForProblems(root, format) },
  { name: 'openapi drift', run: findOpenapiDrift },
  { name: 'openapi lint', run: () => lintOpenapi(join(root, 'docs/openapi.json'), read('docs/openapi.json')) },
]

function ownSteps(): Step[] {
  const files = repoFiles(root)
  return [
    { name: 'boundaries', run: () => checkBoundaries(root, files).problems },
    { name: 'SQL in repositories', run: () => findSqlOutsideRepositories(files, read) },
    { name: 'file sizes', run: () => [...findLongFiles(files, read), ...findCrowdedFolders(files)] },
    { name: 'file names', run: () => findBadNames(files) },
    { name: 'migrations', run: () => [...findBadMigrations(files), ...findEditedMigrations(root)] },
    { name: 'package readmes', run: () => findMissingReadmes(files) },
    { name: 'dependencies', run: () => findBadDependencies(read('package-lock.json')) },
    { name: 'forbidden words', run: () => findForbiddenWords(files, read) },
    { name: 'vocabulary', run: () => findPrivateNames(files, read) },
  ]
}

async function main(): Promise<void> {
  const started = performance.now()
  const results: StepResult[] = []
  const take = async (steps: Step[]) => {
    for (let step = steps.shift(); step; step = steps.shift()) {
      const result = await runStep(step)
      results.push(result)
      report(result)
    }
  }
  if (isFix) await take([...FIXES])
  await take(ownSteps())
  const waiting = [...COMMANDS]
  await Promise.all([take(waiting), take(waiting)])
  const failedStepResults = results.filter(({ problems }) => problems.length > 0)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const verdict =
    failedStepResults.length === 0 ? 'all passed' : `failed: ${failedStepResults.map(({ name }) => name).join(', ')}`
  console.log(`\n${results.length} checks in ${seconds} s, ${verdict}`)
  process.exitCode = failedStepResults.length === 0 ? 0 : 1
}

function report({ name, problems, seconds }: StepResult): void {
  console.log(`${problems.length === 0 ? '✓' : '✗'} ${name.padEnd(18)}${seconds.toFixed(1).padStart(6)} s`)
  for (const problem of problems.slice(0, MAX_SHOWN)) console.log(`  ${problem.replaceAll('\n', '\n  ')}`)
  if (problems.length > MAX_SHOWN) console.log(`  … and ${problems.length - MAX_SHOWN} more`)
}

await main()
