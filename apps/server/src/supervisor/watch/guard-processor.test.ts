import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { listProcessors, readProcessors } from '@trellis/embedded/postgres/processor-set'
import { afterEach, expect, test } from 'vitest'
import { createProcessorGuard, ProcessorUse } from './guard-processor.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function startProcess(): number {
  const child = spawn('sleep', ['60'])
  children.push(child)
  return child.pid ?? Number.NaN
}

const session = (database: string, pid: number, cpuSeconds: number) => ({
  pid,
  database,
  isExternal: true,
  cpuSeconds,
  isRunnable: false,
})

const waiting = (database: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...session(database, count * 100 + at, 0.02), isRunnable: true }))

test('use is added up over the sessions of a workspace, whoever else works beside it', () => {
  const use = new ProcessorUse()
  for (let second = 0; second <= 20; second += 1) {
    use.update([session('a', 1, second), session('a', 2, second / 2), session('b', 3, second / 100)], second)
  }
  expect(use.countProcessors('a')).toBeCloseTo(1.5, 1)
  expect(use.countProcessors('b')).toBeCloseTo(0.01, 2)
  expect(use.countProcessors('c')).toBe(0)
})

test('a session that is closed and opened again does not make a heavy workspace a light one', () => {
  const use = new ProcessorUse()
  for (let second = 0; second <= 20; second += 1) use.update([session('a', 100 + second, 1)], second)
  expect(use.countProcessors('a')).toBeCloseTo(1, 1)
})

test('many sessions that wait for a processor are seen within one look, a few short ones are not', () => {
  const use = new ProcessorUse()
  use.update([], 0)
  use.update([...waiting('attacker', 20), ...waiting('page', 3)], 0.2)
  expect(use.countProcessors('attacker')).toBeGreaterThan(0.5)
  expect(use.countProcessors('page')).toBeLessThan(0.2)
})

test('work from before the watch began is not counted, and use is forgotten', () => {
  const use = new ProcessorUse()
  use.update([session('a', 1, 5000)], 0)
  use.update([session('a', 1, 5000)], 1)
  expect(use.countProcessors('a')).toBe(0)
  use.update([session('a', 1, 5004)], 3)
  expect(use.countProcessors('a')).toBeGreaterThan(0.5)
  use.update([], 40)
  expect(use.countProcessors('a')).toBe(0)
})

const readSession = (pid: number) => readFileSync(`/proc/${pid}/autogroup`, 'utf8').trim()

/** False without autogroup scheduling or without write access to it. */
function canLowerSessions(): boolean {
  try {
    const [, nice = ''] = readSession(process.pid).split(' nice ')
    writeFileSync('/proc/self/autogroup', nice)
    return true
  } catch {
    return false
  }
}

test.skipIf(!canLowerSessions())(
  'only the process is lowered where it shares its session with others, the session too where it is its own',
  async () => {
    const leader = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.push(leader)
    const [member] = await leader.stdout.map(Number).take(1).toArray()
    const [shared, own] = [Number(member), Number(leader.pid)]
    const [before, lowered] = [readSession(own), Math.min(19, getPriority() + 10)]
    let now = 0
    const guard = createProcessorGuard(() => now)
    const look = (pid: number) => {
      now += 1
      guard([session('heavy', pid, now * 1000)])
    }
    try {
      look(shared)
      look(shared)
      expect(getPriority(shared)).toBe(lowered)
      expect(readSession(own)).toBe(before)
      // Unprivileged changes are limited to ten a second.
      await expect.poll(() => (look(own), readSession(own))).toMatch(new RegExp(`nice ${lowered}$`))
    } finally {
      process.kill(shared, 'SIGKILL')
    }
  },
)

test.skipIf(listProcessors().length < 2)(
  'a workspace that wants more than all processors leaves one to the others, until it wants less',
  async () => {
    const all = listProcessors()
    const [crowd, calm] = [startProcess(), startProcess()]
    let now = 0
    const guard = createProcessorGuard(() => now)
    const look = (seconds: number, spent: number) => {
      now = seconds
      guard([session('crowd', crowd, spent), session('calm', calm, 0)])
    }
    look(0, 0)
    look(1, 1000)
    await expect.poll(() => readProcessors(crowd)).toEqual(all.slice(0, -1))
    expect(readProcessors(calm)).toEqual(all)
    await expect.poll(() => (look(100, 1000), readProcessors(crowd))).toEqual(all)
  },
)
