import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toColumns } from './columns.ts'
import { toRows } from './testing.ts'
import { SandboxError } from './sandbox-error.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

const INPUT = toColumns(
  ['n', 't'],
  [
    [1, 'a'],
    [2, 'b'],
  ],
)
const LIMITS = { batchMs: 300, totalMs: 5_000, memoryMb: 32 }
/** For tests of other limits than time. */
const PATIENT = { ...LIMITS, batchMs: 40_000, totalMs: 40_000 }

async function attempt(code: string, limits = LIMITS): Promise<unknown> {
  let sandbox: Sandbox | undefined
  try {
    sandbox = await openSandbox({ code, limits })
    const out = await sandbox.run(INPUT)
    return out && toRows(out)
  } catch (error) {
    if (error instanceof SandboxError) return error.fault
    throw error
  } finally {
    await sandbox?.close()
  }
}
const body = (text: string) => `export default (columns) => { ${text} }`

beforeAll(() => {
  process.env['SANDBOX_SECRET'] = 'only the host knows'
})
afterAll(() => {
  delete process.env['SANDBOX_SECRET']
})

const BENT = `const bare = (value) => Object.assign(value, { toJSON: undefined })
  Object.prototype.toJSON = () => bare({
    shape: 'columns', names: bare(['a']), heads: bare([bare({ kind: 'numbers', count: 1e12 })]),
  })
  return { a: [1] }`

test.each([
  ['an endless loop', body('for (;;) {}'), ['time']],
  [
    'an endless loop that catches everything',
    body('for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }'),
    ['time'],
  ],
  [
    'an endless chain of promises',
    body('const go = () => Promise.resolve().then(go); return go()'),
    ['time', 'memory'],
  ],
  ['an endless getter on the way out', body('return { get a() { for (;;) {} } }'), ['time']],
  ['an endless toJSON', body('return { a: [{ toJSON() { for (;;) {} } }] }'), ['time']],
  ['an endless error', body('throw { get message() { for (;;) {} } }'), ['time']],
  ['a pattern that never ends', body("return { a: [/^(a+)+$/.test('a'.repeat(40) + 'b')] }"), ['time', 'code']],
  ['a list that grows', body('const all = []; for (;;) all.push(new Array(1000).fill(1))'), ['memory', 'time', 'code']],
  ['a text that doubles', body("let a = 'x'; for (;;) a += a"), ['memory', 'code']],
  ['a large buffer', body('return { a: [new ArrayBuffer(2 ** 31).byteLength] }'), ['memory', 'code']],
  [
    'a large buffer, caught and tried again',
    body('for (;;) try { new Uint8Array(2 ** 30) } catch {}'),
    ['time', 'memory'],
  ],
  ['a large repeat', body("return { a: ['x'.repeat(2 ** 29)] }"), ['memory', 'code']],
  [
    'a sparse list of the largest length',
    body('const a = []; a.length = 2 ** 32 - 1; return { a }'),
    ['time', 'memory', 'code', 'output'],
  ],
  ['deep recursion', body('const go = () => go() + 1; return { a: [go()] }'), ['code']],
  [
    'deep recursion in JSON',
    body('let a = []; for (let i = 0; i < 1e5; i += 1) a = [a]; return { a: [a] }'),
    ['code', 'memory', 'time'],
  ],
  ['deep recursion in the parser', body(`return eval('('.repeat(1e5))`), ['code', 'memory']],
  ['a circle', body('const a = {}; a.a = a; return { a: [a] }'), ['code']],
  ['a proxy as result', body('return new Proxy({}, { ownKeys() { throw 1 } })'), ['code']],
  [
    'a list that lies about its length',
    body('const a = [1]; return { a, b: new Proxy([1], { get: (t, k) => (k === "length" ? 1e9 : t[k]) }) }'),
    ['output', 'time', 'memory', 'code'],
  ],
  [
    'a bent JSON',
    body("Object.prototype.toJSON = () => 'nothing'; Array.prototype.toJSON = () => 7; return { a: [1] }"),
    ['output', 'code'],
  ],
  ['a bent verdict', body(BENT), ['output']],
])('%s is stopped and the host goes on', async (_, code, faults) => {
  expect(faults).toContain(await attempt(code, faults.includes('time') ? LIMITS : PATIENT))
})

const FINDS: [what: string, expression: string, found: string | boolean][] = [
  [
    'globals of the host',
    'typeof process + typeof require + typeof fetch + typeof Buffer + typeof WebAssembly + typeof setTimeout',
    'undefined'.repeat(6),
  ],
  ['the constructor of a function', "columns.n.constructor.constructor('return typeof process')()", 'undefined'],
  ['the constructor behind console', "console.log.constructor('return typeof process')()", 'undefined'],
  [
    'globalThis through this',
    '(function () { return typeof this?.process })() + typeof globalThis.global',
    'undefinedundefined',
  ],
  ['a second clock', 'typeof performance + typeof Atomics', 'undefinedundefined'],
  [
    'workers and shared memory',
    'typeof Worker + typeof MessageChannel + typeof postMessage',
    'undefinedundefinedundefined',
  ],
  [
    'stack traces of the host',
    '(() => { try { null.x } catch (error) { return error.stack.includes("/") } })()',
    false,
  ],
  [
    'the caller of a function',
    '(() => { try { return typeof arguments.callee.caller } catch (error) { return error.name } })()',
    'ReferenceError',
  ],
]

test('nothing of the host is to be found', async () => {
  const wanted = Object.fromEntries(FINDS.map(([what, , found]) => [what, found]))
  const found = await attempt(body(`return { a: [${FINDS.map(([, expression]) => expression).join(', ')}] }`), PATIENT)
  expect(Object.fromEntries((found as unknown[][]).map(([value], at) => [FINDS[at]?.[0], value]))).toEqual(wanted)
})

test('no file, module or address can be imported while it runs', async () => {
  for (const name of [
    'node:fs',
    'fs',
    '/etc/passwd',
    './worker.ts',
    'https://example.org/x.js',
    'trellis/../prelude',
  ]) {
    const code = `export default async () => { const found = await import(%${name}%); return { a: [typeof found] } }`
    expect(await attempt(code.replaceAll('%', "'"), PATIENT), name).toBe('code')
  }
})

test('prototypes bent inside stay inside', async () => {
  const code = body(`Object.prototype.polluted = 'yes'; Array.prototype.join = () => 'bent'
    return JSON.parse('{"__proto__": ["a", "b"], "constructor": ["c", "d"], "n": [1, 2]}')`)
  const sandbox = await openSandbox({ code, limits: PATIENT })
  const out = await sandbox.run(INPUT)
  await sandbox.close()
  expect(out?.names).toEqual(['__proto__', 'constructor', 'n'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('one run meets nothing of the one before in another sandbox', async () => {
  await attempt(body("globalThis.left = 'behind'; return { a: [1] }"))
  expect(await attempt(body('return { a: [typeof left] }'), PATIENT)).toEqual([['undefined']])
})

test('a signal ends it at once, whatever it does', async () => {
  const controller = new AbortController()
  const sandbox = await openSandbox({
    code: body('for (;;) {}'),
    limits: { batchMs: 60_000 },
    signal: controller.signal,
  })
  const running = sandbox.run(INPUT)
  controller.abort()
  await expect(running).rejects.toMatchObject({ fault: 'cancelled' })
  await expect(sandbox.run(INPUT)).rejects.toMatchObject({ fault: 'cancelled' })
  await sandbox.close()
  await expect(openSandbox({ code: body(''), signal: controller.signal })).rejects.toMatchObject({ fault: 'cancelled' })
})

test('all batches together have a limit too', async () => {
  const code = body('const until = Date.now() + 40; while (Date.now() < until); return {}')
  const sandbox = await openSandbox({ code, limits: { batchMs: 5_000, totalMs: 400 } })
  const work = async () => {
    for (;;) await sandbox.run(INPUT)
  }
  await expect(work()).rejects.toMatchObject({ fault: 'time' })
  await sandbox.close()
})

test('the prelude keeps nothing where code could reach it', async () => {
  expect(readFileSync(new URL('./guest/prelude.js', import.meta.url), 'utf8')).not.toContain('globalThis.trellis')
  expect(
    await attempt(
      body(
        'return { a: [Object.getOwnPropertyNames(globalThis).filter((name) => /put|take|print|guest/.test(name)).length] }',
      ),
      PATIENT,
    ),
  ).toEqual([[0]])
})

test.each([
  ['lists', `const out = {}; for (let at = 0; at < 1700; at += 1) out['c' + at] = [at]; return out`],
  ['one row', `const row = {}; for (let at = 0; at < 1700; at += 1) row['c' + at] = at; return [row]`],
  ['rows', `return Array.from({ length: 1700 }, (_, at) => ({ ['c' + at]: at }))`],
])('more columns than any table has do not come out of the sandbox, as %s', async (_, text) => {
  expect(await attempt(body(text), PATIENT)).toBe('output')
})
