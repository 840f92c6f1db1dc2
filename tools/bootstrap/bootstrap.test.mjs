import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { computeFingerprint } from './fingerprint.mjs'
import { isGoodNode } from './node-runtime.mjs'
import { describeFailure } from './npm.mjs'
import { takeTurns } from './turn.mjs'

vi.setConfig({ testTimeout: 120_000 })

const here = import.meta.dirname
let root

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trellis-bootstrap-'))
  chmodSync(root, 0o755)
  cpSync(here, join(root, 'tools', 'bootstrap'), { recursive: true })
  for (const folder of ['apps/web/src', 'apps/web/scripts', 'apps/server/src', 'packages', 'tools/check']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  write('package.json', JSON.stringify({ name: 'house', version: '1.0.0' }))
  write(
    'package-lock.json',
    JSON.stringify({
      name: 'house',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: { '': { name: 'house', version: '1.0.0' } },
    }),
  )
  write('tools/check/check.ts', `console.log('checked', process.argv.slice(2).join(' ')); process.exitCode = 7`)
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path, text) {
  writeFileSync(join(root, path), text)
}

async function run(args, { env = {}, ...options } = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|TRELLIS_|VITEST|NODE_OPTIONS)/i.test(name))
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap/bootstrap.mjs'), ...args], {
    cwd: root,
    env: {
      ...Object.fromEntries(kept),
      npm_config_fetch_retries: '0',
      npm_config_cache: join(root, 'npm-cache'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  const [code] = await once(child, 'close')
  return { code, stdout, stderr, lastLine: stderr.trim().split('\n').at(-1) }
}

test('the operator commands are a program of the server', async () => {
  mkdirSync(join(root, 'apps/server/src/admin'), { recursive: true })
  write('apps/server/src/admin/main.ts', `console.log('admin', process.argv.slice(2).join(' ')); process.exitCode = 3`)
  expect(await run(['trellis', 'admin', 'jobs', '--json'])).toMatchObject({ code: 3, stdout: 'admin jobs --json\n' })
})

test('installs once, passes arguments on, keeps standard output clean and gives back the exit code', async () => {
  const first = await run(['check', '--fix'])
  expect(first).toMatchObject({ code: 7, stdout: 'checked --fix\n' })
  expect(first.stderr).toContain('Installing dependencies: done')
  const second = await run(['check'])
  expect(second).toMatchObject({ code: 7, stderr: '' })
  write('package-lock.json', readFileSync(join(root, 'package-lock.json'), 'utf8').replace('}}', '} }'))
  expect((await run(['check'])).stderr).toContain('Installing dependencies')
})

test('what somebody installed with npm themselves is not installed again, unless the lock file asks for something else', async () => {
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  const lock = (version) => ({ name: 'house', version: '1.0.0', lockfileVersion: 3, packages: packagesWith(version) })
  const packagesWith = (version) => ({
    '': { name: 'house', version: '1.0.0' },
    'node_modules/small': { version, integrity: 'sha512-none' },
    'node_modules/other-machine': { version: '1.0.0', integrity: 'sha512-none', optional: true },
  })
  write('package-lock.json', JSON.stringify(lock('1.0.0')))
  const installed = { packages: { 'node_modules/small': { version: '1.0.0', integrity: 'sha512-none' } } }
  write('node_modules/.package-lock.json', JSON.stringify(installed))
  expect(await run(['check'])).toMatchObject({ code: 7, stderr: '' })
  write('package-lock.json', JSON.stringify(lock('2.0.0')))
  const { stderr } = await run(['check'], { env: { npm_config_registry: 'http://127.0.0.1:9/' } })
  expect(stderr).toContain('Installing dependencies')
})

test('builds the web app when its sources changed, and only then', async () => {
  write('apps/server/src/main.ts', `console.log('up')`)
  write('apps/web/scripts/build.ts', `import { mkdirSync } from 'node:fs'; mkdirSync('dist', { recursive: true })`)
  expect((await run(['start'])).stderr).toContain('Building the web app: done')
  expect(await run(['start'])).toMatchObject({ code: 0, stdout: 'up\n', stderr: '' })
  write('apps/web/src/page.ts', 'changed')
  expect((await run(['start'])).stderr).toContain('Building the web app: done')
  write('apps/web/scripts/build.ts', `console.error('src/page.ts: broken'); process.exit(1)`)
  const broken = await run(['start'])
  expect(broken).toMatchObject({ code: 1, stdout: '' })
  expect(broken.stderr).toContain('src/page.ts: broken')
})

test('an unknown command and one without its suite: one sentence', async () => {
  expect((await run(['fly'])).stderr).toMatch(/^Unknown command "fly"\. The commands are: start, [^\n]+\.\n$/)
  expect(await run(['chaos'])).toMatchObject({ code: 1, stderr: 'There is no chaos suite yet.\n' })
})

test('no npm on this machine: one sentence', async () => {
  const { code, lastLine } = await run(['check'], { env: { PATH: '/nowhere' } })
  expect({ code, lastLine }).toEqual({
    code: 1,
    lastLine: 'npm was not found. Install Node.js together with npm and try again.',
  })
})

test('no network: one sentence, and nothing counts as installed', async () => {
  const dependency = { name: 'house', version: '1.0.0', dependencies: { 'is-number': '7.0.0' } }
  write('package.json', JSON.stringify(dependency))
  const packages = { '': dependency, 'node_modules/is-number': { version: '7.0.0', integrity: 'sha512-none' } }
  write('package-lock.json', JSON.stringify({ name: 'house', version: '1.0.0', lockfileVersion: 3, packages }))
  const { code, lastLine } = await run(['check'], { env: { npm_config_registry: 'http://127.0.0.1:9/' } })
  expect(code).toBe(1)
  expect(lastLine).toMatch(/^Installing dependencies failed: the package registry cannot be reached\./)
  expect(existsSync(join(root, 'node_modules', '.trellis-installed'))).toBe(false)
})

test('a command is told to stop with the signal its launcher got', async () => {
  write(
    'tools/check/check.ts',
    `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('up')`,
  )
  const child = spawn(process.execPath, [join(root, 'tools/bootstrap/bootstrap.mjs'), 'check'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([5, null])
})

test('two that install at once take turns, and a turn left behind by a dead process is taken over', async () => {
  const order = []
  const slow = takeTurns(root)(async () => {
    order.push('first in')
    await new Promise((resolve) => setTimeout(resolve, 700))
    order.push('first out')
  })
  await Promise.all([slow, takeTurns(root)(async () => order.push('second in'))])
  expect(order).toEqual(['first in', 'first out', 'second in'])
  write('.runtime/installing', String(2 ** 30))
  await takeTurns(root)(async () => order.push('third in'))
  expect(order.at(-1)).toBe('third in')
})

test.each([
  [
    'npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write',
    /^The disk is full: \/house could not be written\./,
  ],
  [
    'npm error code EACCES\nnpm error path /house/node_modules',
    /^\/house\/node_modules cannot be written by this user\./,
  ],
  ['npm error code EAI_AGAIN', /registry cannot be reached/],
  ['npm error code ETARGET\nnpm error notarget No matching version found for left@9.9.9.', /registry does not have/],
  ['npm error code EUSAGE\nnpm error `npm ci` can only install packages when … are in sync.', /do not match/],
  ['npm error code EODD\nnpm error Something odd', /^Installing failed: Something odd\.$/],
  ['', /npm gave no reason/],
])('npm saying %j becomes a sentence', (output, sentence) => {
  const described = describeFailure({ task: 'Installing', output, cwd: '/house' })
  expect(described).toMatch(sentence)
  expect(described).not.toContain('\n')
})

test('only releases that the libraries run on are used as they are', () => {
  expect(['v18.20.0', 'v20.20.2', 'v22.18.0', 'v23.11.0', 'v25.1.0'].filter(isGoodNode)).toEqual([])
  expect(['v22.19.0', 'v24.0.0', 'v26.1.0', 'v30.0.0'].filter(isGoodNode)).toHaveLength(4)
})

test('a fingerprint follows names and contents, and not what was built', () => {
  const before = computeFingerprint(root, ['apps'])
  mkdirSync(join(root, 'apps/web/dist'), { recursive: true })
  write('apps/web/dist/page.js', 'built')
  expect(computeFingerprint(root, ['apps'])).toBe(before)
  write('apps/web/src/page.ts', '')
  expect(computeFingerprint(root, ['apps'])).not.toBe(before)
  expect(computeFingerprint(dirname(root), ['nowhere'])).toBe(computeFingerprint(root, ['nowhere']))
})
