import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand } from './run-step.ts'

const root = resolve(import.meta.dirname, '../..')
const NAME = '{ "name": "@trellis/planted", "type": "module", "exports": { "./*": "./src/*.ts" } }'
let folder: string

const PLANTED: Record<string, string> = {
  'package.json': '{ "name": "planted", "private": true, "type": "module", "workspaces": ["apps/*", "packages/*"] }',
  'packages/planted/package.json': NAME,
  'packages/planted/src/shelf.ts': 'export const used = 1\nexport const tested = 2\nexport const dead = 3\n',
  'packages/planted/src/shelf.test.ts':
    "import { tested } from './shelf.ts'\nimport { test } from 'vitest'\ntest('', () => tested)\n",
  'apps/server/package.json':
    '{ "name": "@trellis/server", "type": "module", "dependencies": { "@trellis/planted": "*", "fastify": "*" } }',
  'apps/server/src/main.ts': "import { used } from '@trellis/planted/shelf'\nprocess.exitCode = used\n",
  'apps/server/src/forgotten.ts': 'export const forgotten = 1\n',
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-knip-'))
  for (const [path, text] of Object.entries(PLANTED)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  copyFileSync(join(root, 'knip.ts'), join(folder, 'knip.ts'))
  mkdirSync(join(folder, 'node_modules/@trellis'), { recursive: true })
  symlinkSync(join(folder, 'packages/planted'), join(folder, 'node_modules/@trellis/planted'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the browser tests can be read on a machine without Chromium', async () => {
  const config = join(root, 'playwright.config.ts')
  const load = `process.env.TRELLIS_CHROMIUM = '/nowhere'; await import(${JSON.stringify(config)})`
  const { code, output } = await runCommand(root, [process.execPath, '--input-type=module', '--eval', load])
  expect(code, output).toBe(0)
})

async function findDead(...args: string[]): Promise<string[]> {
  const knip = [process.execPath, join(root, 'node_modules/knip/bin/knip.js'), '--no-progress', '--reporter', 'compact']
  const { code, stdout } = await runCommand(folder, [...knip, '--no-config-hints', ...args])
  expect(code).toBe(1)
  return ['dead', 'tested', 'used', 'forgotten.ts', 'fastify'].filter((name) =>
    new RegExp(`\\b${name.replace('.', '\\.')}\\b`).test(stdout),
  )
}

test('an export, a file and a dependency without a user are found', async () => {
  expect(await findDead()).toEqual(['dead', 'forgotten.ts', 'fastify'])
})

test('in what ships, an export that only a test uses is dead too', async () => {
  expect(await findDead('--production')).toEqual(['dead', 'tested', 'forgotten.ts', 'fastify'])
})
