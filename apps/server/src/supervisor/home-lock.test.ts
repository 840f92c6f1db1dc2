import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireHomeLock } from './home-lock.ts'

const address = 'http://localhost:4600'
const lockModule = pathToFileURL(join(import.meta.dirname, 'home-lock.ts')).href
let home: string
let children: ChildProcess[]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'trellis-lock-'))
  children = []
})

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

/** Another process that tries to take the lock. */
async function rival(): Promise<{ child: ChildProcess; said: string }> {
  const script = `import { acquireHomeLock } from ${JSON.stringify(lockModule)}
    await acquireHomeLock(${JSON.stringify(home)}, '${address}').then(() => console.log('taken'), (error) => console.log(error.message))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, said: line.toString().trim() }
}

test('a second start is told which process holds the folder, and gets it once that is gone', async () => {
  const { child, said } = await rival()
  expect(said).toBe('taken')
  await expect(acquireHomeLock(home, address)).rejects.toThrow(`process ${child.pid}, ${address}`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const lock = await acquireHomeLock(home, address)
  expect(lock.wasStale).toBe(true)
  lock.release()
  expect(existsSync(join(home, 'lock'))).toBe(false)
})

test('a number that was given to another process since does not hold the lock', async () => {
  writeFileSync(join(home, 'lock'), JSON.stringify({ pid: process.ppid, start: 'another time', address }))
  expect((await acquireHomeLock(home, address)).wasStale).toBe(true)
})

test('a lock file with rubbish in it does not block for ever', async () => {
  writeFileSync(join(home, 'lock'), '{"pid":')
  expect((await acquireHomeLock(home, address)).wasStale).toBe(true)
})

test('of several that find the same stale lock at once, exactly one gets it', async () => {
  writeFileSync(join(home, 'lock'), JSON.stringify({ pid: 2 ** 30, start: '1', address }))
  const said = (await Promise.all(Array.from({ length: 5 }, rival))).map((item) => item.said)
  expect(said.filter((line) => line === 'taken')).toHaveLength(1)
})

test('a folder that cannot be written gives one sentence', async () => {
  const gone = join(home, 'not', 'there')
  writeFileSync(join(home, 'not'), 'a file in the way')
  await expect(acquireHomeLock(gone, address)).rejects.toMatchObject({ name: 'StartProblem' })
})
