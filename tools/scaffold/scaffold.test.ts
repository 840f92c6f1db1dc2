import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkBoundaries } from '../boundaries/check-boundaries.ts'
import { repoFiles } from '../check/repo-files.ts'
import { runCommand } from '../check/run-step.ts'
import { copyRepo } from './testing/copy-repo.ts'

const root = resolve(import.meta.dirname, '../..')
const MINUTES = 60_000
let copy: string

beforeAll(() => {
  copy = copyRepo(root)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const readText = (folder: string, path: string) =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined
const node = (...args: string[]) => runCommand(copy, [process.execPath, ...args])
const library = (script: string, ...args: string[]) => node(join(copy, 'node_modules', script), ...args)

// First, so that the feature's type check covers it too.
test(
  'a new connector changes its own folder and one line of the registry, and conforms',
  async () => {
    const made = await node('tools/scaffold/new-connector.ts', 'sample_platform', '--name', 'Sample Platform')
    expect(made.code, made.output).toBe(0)
    const changed = repoFiles(copy).filter((path) => readText(root, path) !== readText(copy, path))
    const own = changed.filter((path) => path.startsWith('packages/connectors/src/sample_platform/'))
    expect(changed.filter((path) => !own.includes(path))).toEqual(['packages/connectors/src/registry.ts'])
    expect(own).toHaveLength(6)
    expect(own.map((path) => readText(copy, path)).join('\n')).not.toMatch(/__\w|\w__/)
    expect(readText(copy, 'packages/connectors/src/registry.ts')).toContain('samplePlatform')

    const sources = own.filter((path) => path.endsWith('.ts'))
    const format = await library('oxfmt/bin/oxfmt', '--check', ...sources, 'packages/connectors/src/registry.ts')
    expect(format.code, format.output).toBe(0)
    const lint = await library('oxlint/bin/oxlint', '--max-warnings=0', '--format=unix', ...sources)
    expect(lint.output).not.toMatch(/Error\/|Warning\//)
    const tests = await library(
      'vitest/vitest.mjs',
      'run',
      'sample_platform',
      'connectors/src/registry',
      '--reporter=dot',
    )
    expect(tests.code, tests.output).toBe(0)
  },
  10 * MINUTES,
)

test(
  'a new feature type-checks, lints, keeps the boundaries and passes its own tests and the sweep',
  async () => {
    const made = await node('tools/scaffold/new-feature.ts', 'sample-things')
    expect(made.output).toContain('apps/server/src/modules/sample-things/sample-things.ts')
    expect(made.code).toBe(0)

    const files = repoFiles(copy)
    const ownFiles = files.filter((path) => path.includes('sample-things'))
    expect(ownFiles).toHaveLength(12)
    expect(ownFiles.map((path) => readFileSync(join(copy, path), 'utf8')).join('\n')).not.toMatch(/__\w|\w__/)
    expect(checkBoundaries(copy, files).problems).toEqual([])

    const [types, webTypes] = await Promise.all([
      library('typescript/bin/tsc', '-p', 'tsconfig.json'),
      library('typescript/bin/tsc', '-p', 'apps/web/tsconfig.json'),
    ])
    expect(types.output + webTypes.output).toBe('')

    const lint = await library(
      'oxlint/bin/oxlint',
      '--max-warnings=0',
      '--format=unix',
      ...ownFiles.filter((path) => /\.tsx?$/.test(path)),
    )
    expect(lint.output).not.toMatch(/Error\/|Warning\//)
    const format = await library('oxfmt/bin/oxfmt', '--check', ...ownFiles.filter((path) => /\.tsx?$/.test(path)))
    expect(format.code, format.output).toBe(0)

    const [tests, sweep] = await Promise.all([
      library('vitest/vitest.mjs', 'run', 'sample-things', '--reporter=dot'),
      library('vitest/vitest.mjs', 'run', 'apps/server/src/http/sweep', '-t', 'SampleThing', '--reporter=verbose'),
    ])
    expect(tests.code, tests.output).toBe(0)
    expect(sweep.code, sweep.output).toBe(0)
    expect(sweep.output).toContain('createSampleThing never fails on hostile input')
    expect(sweep.output).toContain('workspace viewer')
  },
  20 * MINUTES,
)

test('a new migration gets the next number', async () => {
  const folder = join(copy, 'packages/control-db/migrations')
  const before = readdirSync(folder).length
  const made = await node('tools/scaffold/new-migration.ts', 'add-things')
  expect(made.code, made.output).toBe(0)
  expect(readdirSync(folder)).toContain(`${String(before + 1).padStart(4, '0')}-add-things.sql`)
})

test.each([
  ['new-feature.ts', [], 'Say what the feature is called'],
  ['new-feature.ts', ['accounts'], 'exists already'],
  ['new-feature.ts', ['../accounts'], 'is not a feature'],
  ['new-migration.ts', ['Add Things'], 'is not a migration'],
  ['new-connector.ts', [], 'Say which platform it connects'],
  ['new-connector.ts', ['sample_data'], 'exists already'],
  ['new-connector.ts', ['Open-Shop'], "is not a platform's code"],
])('%s %j ends with one sentence', async (script, args, sentence) => {
  const refused = await node(`tools/scaffold/${script}`, ...args)
  expect(refused.code).toBe(1)
  expect(refused.output).toContain(sentence)
  expect(refused.output.trim().split('\n')).toHaveLength(1)
})
