import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import { getFolderStructure } from '@trellis/contract/dataflows/dataflows.endpoints'
import { listTaskRuns } from '@trellis/contract/runs/runs.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_FILE } from '../../apps/server/src/modules/demo/demo-flow.ts'
import { ensureDemo } from '../../apps/server/src/modules/demo/demo.service.ts'
import { signInAs } from '../../apps/server/src/testing/people.ts'
import { type TestApp, startTestApp } from '../../apps/server/src/testing/test-app.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const generator = (script: string) => join(import.meta.dirname, 'node_modules', script)

const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    strict: true,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    rootDir: '.',
    outDir: 'built',
  },
  include: ['program.ts', 'schema.ts', 'use-schema.ts', 'client'],
}

/** Compiles only if the generated types know the operation and its fields. */
const USE_SCHEMA = `import type { paths } from './schema.js'
type Login = paths['/auth/login']['post']
type Answer = Login['responses'][200]['content']['application/json']
export const sent: NonNullable<Login['requestBody']>['content']['application/json'] = { email: 'a@b.c', password: 'p' }
export const readToken = (answer: Answer): string => answer.data.access_token
`

/** The timeout is for hangs. */
const LONG = { timeout: 300_000 }

let app: TestApp
let folder: string

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' }, hasWorker: true })
  folder = await mkdtemp(join(tmpdir(), 'trellis-clients-'))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

async function generate(): Promise<void> {
  const page = await readFile(join(root, 'docs/handbook/api/clients.md'), 'utf8')
  const program = /```ts\n(?<code>.*?)```/s.exec(page)?.groups?.['code'] ?? ''
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  await writeFile(join(folder, 'program.ts'), program)
  await writeFile(join(folder, 'use-schema.ts'), USE_SCHEMA)
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${app.url}/openapi.json`)).text())
  const node = async (...args: string[]) => await run(process.execPath, args, { cwd: folder })
  await node(generator('openapi-typescript/bin/cli.js'), 'openapi.json', '-o', 'schema.ts')
  await node(generator('@hey-api/openapi-ts/bin/run.js'), '-i', 'openapi.json', '-o', 'client', '--no-log-file')
}

/** The demo's first runs must be over, as the next run would wait for them. */
async function waitForDemo(email: string, password: string): Promise<void> {
  const owner = await signInAs(app, email, password)
  const [account] = (await owner.call(listAccounts)).data
  const params = { account_trellis_code: account?.trellis_code ?? '', workspace_address: 'shop' }
  const runs = async () => {
    const [flow] = (await owner.call(getFolderStructure, { params })).data.dataflows
    if (!flow) return []
    const found = await owner.call(listTaskRuns, { params: { ...params, trellis_code: flow.trellis_code } })
    return found.data.runs.map(({ status }) => status)
  }
  const blocks = Object.keys(DEMO_FILE.blocks).length + 1
  await expect.poll(runs, { timeout: 120_000 }).toEqual(Array.from({ length: blocks }, () => 'SUCCESS'))
}

test('generated clients compile, and the program of the handbook runs the demo flow to its end', LONG, async () => {
  const { email, password } = (await ensureDemo(app.ctx)) as { email: string; password: string }
  await generate()
  const compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(compiled.stdout).toBe('')
  await waitForDemo(email, password)
  const env = { TRELLIS_URL: app.url, EMAIL: email, PASSWORD: password }
  const { stdout } = await run(process.execPath, ['built/program.js'], { cwd: folder, env })
  expect(stdout).toMatch(/^Shop performance: succeeded, \d+ rows written\n$/)
})
