import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { repoFiles } from '../check/repo-files.ts'
import { checkBoundaries } from './check-boundaries.ts'
import { readImports } from './read-imports.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const MANIFESTS = {
  'package.json': '{ "devDependencies": { "vitest": "1.0.0" } }',
  'apps/server/package.json': '{ "dependencies": { "fastify": "1.0.0", "pg": "1.0.0" } }',
  'apps/web/package.json': '{ "dependencies": { "react": "1.0.0", "cmdk": "1.0.0" } }',
  'packages/contract/package.json': '{ "dependencies": { "zod": "1.0.0", "fastify": "1.0.0" } }',
}

function findProblems(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'trellis-boundaries-'))
  folders.push(root)
  for (const [path, text] of Object.entries({ ...MANIFESTS, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkBoundaries(root, repoFiles(root), 0).problems
}

const module = 'apps/server/src/modules'
const web = 'apps/web/src'

/** `to` is created as an empty file. */
const PLANTED: [rule: string, from: string, line: string, to?: string][] = [
  ['nothing-imports-apps', 'packages/jobs/src/a.ts', "import '../../../apps/server/src/a.ts'", 'apps/server/src/a.ts'],
  ['server-without-web', 'apps/server/src/a.ts', "import '../../web/src/a.ts'", `${web}/a.ts`],
  [
    'web-knows-the-contract-alone',
    `${web}/a.ts`,
    "import type { Db } from '@trellis/control-db/database'",
    'packages/control-db/src/database.ts',
  ],
  ['web-knows-the-contract-alone', `${web}/a.ts`, "import { join } from 'node:path'"],
  [
    'platform-at-the-bottom',
    'apps/server/src/platform/a.ts',
    "import '../http/mount.ts'",
    'apps/server/src/http/mount.ts',
  ],
  [
    'http-calls-services',
    'apps/server/src/http/a.ts',
    "import '../modules/x/x.repository.ts'",
    `${module}/x/x.repository.ts`,
  ],
  [
    'modules-behind-their-service',
    `${module}/x/x.service.ts`,
    "import '../../http/mount.ts'",
    'apps/server/src/http/mount.ts',
  ],
  [
    'module-private-parts',
    `${module}/x/x.service.ts`,
    "import type { Row } from '../y/y.repository.ts'",
    `${module}/y/y.repository.ts`,
  ],
  [
    'runner-below-work',
    `${module}/runs/runner/a.ts`,
    "import type { B } from '../work/b.ts'",
    `${module}/runs/work/b.ts`,
  ],
  ['repository-calls-nobody', `${module}/x/x.repository.ts`, "import './x.service.ts'", `${module}/x/x.service.ts`],
  ['service-below-routes', `${module}/x/x.service.ts`, "import './x.routes.ts'", `${module}/x/x.routes.ts`],
  ['ui-at-the-bottom', `${web}/ui/A.tsx`, "import '../api/call.ts'", `${web}/api/call.ts`],
  ['api-at-the-bottom', `${web}/api/a.ts`, "import '../app/session/session.ts'", `${web}/app/session/session.ts`],
  ['features-apart', `${web}/features/x/A.tsx`, "import '../y/B.tsx'", `${web}/features/y/B.tsx`],
  ['auth-before-the-shell', `${web}/auth/a.ts`, "import '../app/shell/Shell.tsx'", `${web}/app/shell/Shell.tsx`],
  ['packages', 'packages/workspace-db/src/a.ts', "import '@trellis/jobs/queue'", 'packages/jobs/src/queue.ts'],
  ['packages', 'packages/brand-new/src/a.ts', "import './b.ts'", 'packages/brand-new/src/b.ts'],
  ['purity', 'packages/contract/src/a.ts', "import { fastify } from 'fastify'"],
  ['purity', 'packages/contract/src/a.ts', "import { readFile } from 'node:fs/promises'"],
  ['purity', 'packages/dataflow-engine/src/a.ts', "import { readFile } from 'node:fs/promises'"],
  ['packages', 'packages/dataflow-engine/src/a.ts', "import '@trellis/jobs/queue'", 'packages/jobs/src/queue.ts'],
  ['undeclared', 'apps/server/src/a.ts', "import { z } from 'zod'"],
  ['undeclared', 'apps/server/src/a.ts', "import { test } from 'vitest'"],
  ['tests-apart', 'apps/server/src/a.ts', "import './testing/b.ts'", 'apps/server/src/testing/b.ts'],
  ['lost-import', 'apps/server/src/a.ts', "import { b } from './gone.ts'"],
]

describe('planted faults', () => {
  test.each(PLANTED)('%s: %s with %s', (...planted) => {
    const [rule, from, line, to] = planted
    const problems = findProblems({ ...(to ? { [to]: '' } : {}), [from]: `${line}\n` })
    expect(problems.map((problem) => problem.split(': ')[1])).toContain(rule)
    expect(problems.join('\n')).toContain(from)
  })
})

test('what is allowed stays unsaid', () => {
  const problems = findProblems({
    [`${module}/x/x.routes.ts`]: "import '../../http/handle.ts'\nimport './x.ts'\n",
    [`${module}/x/x.ts`]: "import '../y/y.service.ts'\nimport './x.repository.ts'\n",
    [`${module}/x/x.repository.ts`]: "import pg from 'pg'\n",
    [`${module}/x/x.test.ts`]: "import { test } from 'vitest'\nimport '../y/y.repository.ts'\n",
    [`${module}/y/y.service.ts`]: '',
    [`${module}/y/y.repository.ts`]: '',
    'apps/server/src/http/handle.ts': "import 'node:crypto'\n",
    [`${web}/features/x/A.tsx`]: "import '../y/y.queries.ts'\n",
    [`${web}/features/y/y.queries.ts`]: "import '../../api/call.ts'\n",
    [`${web}/api/call.ts`]: "import '@trellis/contract/core/endpoint'\n",
    'packages/contract/src/core/endpoint.ts': "import type * as z from 'zod/mini'\n",
  })
  expect(problems).toEqual([])
})

test('a service that only its own module imports is told', () => {
  const problems = findProblems({
    [`${module}/x/x.routes.ts`]: "import './x.service.ts'\n",
    [`${module}/x/x.service.ts`]: '',
    [`${module}/y/y.test.ts`]: "import '../x/x.service.ts'\n",
  })
  expect(problems).toEqual([`${module}/x/x.service.ts: private-services: No other module imports it: drop “.service”.`])
})

test('a heavy library is found behind any number of steps, but not behind a lazy import or a type', () => {
  const files = (line: string) => ({
    [`${web}/auth/auth-entry.tsx`]: "import { a } from '../ui/A.tsx'\n",
    [`${web}/ui/A.tsx`]: `${line}\n`,
    [`${web}/ui/palette/B.tsx`]: "import { Command } from 'cmdk'\n",
  })
  expect(findProblems(files("import { B } from './palette/B.tsx'")).join('\n')).toContain('auth-stays-light')
  expect(findProblems(files("const B = lazy(() => import('./palette/B.tsx'))"))).toEqual([])
  expect(findProblems(files("import type { B } from './palette/B.tsx'"))).toEqual([])
})

test('a circle is found and told once', () => {
  const problems = findProblems({
    'apps/server/src/a.ts': "import './b.ts'\n",
    'apps/server/src/b.ts': "import './c.ts'\n",
    'apps/server/src/c.ts': "import './a.ts'\n",
  })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(
    'apps/server/src/a.ts → apps/server/src/b.ts → apps/server/src/c.ts → apps/server/src/a.ts',
  )
})

test('modules that import each other are found, whichever files they do it by', () => {
  const problems = findProblems({
    [`${module}/x/x.routes.ts`]: "import '../y/y.service.ts'\n",
    [`${module}/y/y.service.ts`]: '',
    [`${module}/y/y.jobs.ts`]: "import type { Z } from '../z/z.service.ts'\n",
    [`${module}/z/z.service.ts`]: "import '../x/x.service.ts'\n",
    [`${module}/x/x.service.ts`]: '',
  })
  expect(problems).toEqual(['x: module-cycles: x → y → z → x'])
})

test('seeing too few files is a failure, not a success', () => {
  const root = mkdtempSync(join(tmpdir(), 'trellis-boundaries-'))
  folders.push(root)
  expect(checkBoundaries(root, []).problems).toEqual([expect.stringContaining('Only 0 source files were seen')])
})

test('every way to write an import is read', () => {
  const text = [
    "import a from 'a'",
    "import * as b from 'b'",
    'import {\n  c,\n  type C,\n} from "c"',
    "import 'd'",
    "import type { E } from 'e'",
    "import { type F, type G } from 'f'",
    "export { g } from 'g'",
    "export * from 'h'",
    "const i = await import('i')",
    "type J = typeof import('j')",
    "// import k from 'k'",
    "/** `import('l')` */",
    'const text = "import m from \'m\'"',
    "export const n = 'n'",
  ].join('\n')
  const imports = readImports(text)
  expect(imports.map(({ specifier }) => specifier)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
  expect(imports.filter(({ isType }) => isType).map(({ specifier }) => specifier)).toEqual(['e', 'f', 'j'])
  expect(imports.filter(({ isLazy }) => isLazy).map(({ specifier }) => specifier)).toEqual(['i', 'j'])
  expect(imports.find(({ specifier }) => specifier === 'd')?.line).toBe(7)
})
