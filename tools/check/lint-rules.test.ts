import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from './run-step.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: string
let found: Set<string>

const PLANTED: [path: string, text: string, rule: string][] = [
  ['apps/server/src/a.ts', 'export const a = (b: any) => b', 'typescript(no-explicit-any)'],
  ['apps/server/src/b.ts', "export const b = process.env['HOME']", 'node(no-process-env)'],
  ['apps/server/src/c.ts', "export const c = () => fetch('http://example.com')", 'eslint(no-restricted-globals)'],
  ['apps/server/src/d.ts', "import * as z from 'zod'\nexport const d = z", 'eslint(no-restricted-imports)'],
  [
    'apps/server/src/e.ts',
    "import { request } from 'undici'\nexport const e = request",
    'eslint(no-restricted-imports)',
  ],
  ['apps/server/src/f.ts', "export * from './a.ts'", 'oxc(no-barrel-file)'],
  ['apps/server/src/g.ts', 'export const g = (a: 1, b: 2, c: 3, d: 4) => [a, b, c, d]', 'eslint(max-params)'],
  ['apps/server/src/h.ts', 'export const h = () => console.log(1)', 'eslint(no-console)'],
  ['apps/server/src/i.ts', '// @ts-ignore\nexport const i = 1', 'typescript(ban-ts-comment)'],
  ['apps/server/src/j.ts', '// TODO later\nexport const j = 1', 'eslint(no-warning-comments)'],
  [
    'apps/server/src/k.ts',
    'const late = async () => 1\nexport const k = () => {\n  late()\n}',
    'typescript(no-floating-promises)',
  ],
  ['apps/server/src/l.ts', 'export const l = 1\n'.padEnd(20) + '//\n'.repeat(400), 'eslint(max-lines)'],
  ['apps/server/src/BadName.ts', 'export const n = 1', 'unicorn(filename-case)'],
  ['apps/server/src/o.ts', "import { p } from './p.ts'\nexport const o = () => p", 'import(no-cycle)'],
  ['apps/server/src/p.ts', "import { o } from './o.ts'\nexport const p = () => o", 'import(no-cycle)'],
  [
    'apps/server/src/q.test.ts',
    "import { test } from 'vitest'\ntest.skip('q', () => undefined)",
    'vitest(no-disabled-tests)',
  ],
  ['apps/web/src/features/A.ts', 'export const a = 1', 'unicorn(filename-case)'],
  ['apps/web/src/features/b.ts', "export const b = () => fetch('/api')", 'eslint(no-restricted-globals)'],
  [
    'apps/web/src/features/C.tsx',
    'export const C = () => <p dangerouslySetInnerHTML={{ __html: "" }} />',
    'react(no-danger)',
  ],
  ['apps/web/src/features/D.tsx', 'export const D = () => <img src="a.png" />', 'jsx-a11y(alt-text)'],
  [
    'apps/web/src/features/E.tsx',
    "import { useEffect } from 'react'\nexport const E = ({ a }: { a: boolean }) => {\n  if (a) useEffect(() => undefined)\n  return null\n}",
    'react-hooks(rules-of-hooks)',
  ],
]

const ALLOWED: [path: string, text: string][] = [
  ['apps/server/src/platform/config.ts', 'export const env = process.env'],
  ['apps/web/src/api/send.ts', "export const send = () => fetch('/api')"],
  ['tools/check/tool.ts', 'console.log(process.env)'],
  ['apps/web/src/features/Page.tsx', 'export const Component = () => <p>Text</p>'],
  ['apps/server/src/platform/safe-http/safe-http.ts', "import { request } from 'undici'\nexport const send = request"],
]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-lint-'))
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "jsx": "react-jsx" } }')
  for (const [path, text] of [...PLANTED, ...ALLOWED]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${text}\n`)
  }
  const lint = [process.execPath, join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json']
  const { stdout, output } = await runCommand(folder, lint)
  if (!stdout.startsWith('{')) throw new Error(output)
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code?: string }[] }
  found = new Set(diagnostics.map(({ filename, code }) => `${filename} ${code}`))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(PLANTED.map(([path, , rule]) => [path, rule]))('%s breaks %s', (path, rule) => {
  expect([...found].filter((item) => item.startsWith(path))).toContain(`${path} ${rule}`)
})

test.each(ALLOWED.map(([path]) => path))('%s is allowed', (path) => {
  expect([...found].filter((item) => item.startsWith(path))).toEqual([])
})
