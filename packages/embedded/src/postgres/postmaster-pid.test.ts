import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearOldServer, findHolder } from './postmaster-pid.ts'
import { findProcess, isRunning } from './process-table.ts'

const patience = { timeout: 20_000 }
let folder: string
let children: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-pid-'))
  children = []
})

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function run(program: string, args: string[]): Promise<number> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  await once(child, 'spawn')
  return child.pid ?? 0
}

function writePid(pid: number | string): void {
  writeFileSync(join(folder, 'postmaster.pid'), `${pid}\n${folder}\n`)
}

const pidFileExists = () => existsSync(join(folder, 'postmaster.pid'))

test('no file, rubbish in it, or a number nobody has: the way is free', async () => {
  expect(findHolder(folder).holder).toBe('nobody')
  writePid('rubbish')
  expect(findHolder(folder).holder).toBe('nobody')
  const pid = await run('sleep', ['30'])
  children[0]?.kill('SIGKILL')
  await once(children[0] as ChildProcess, 'exit')
  writePid(pid)
  expect(findHolder(folder).holder).toBe('nobody')
})

test('a number that now belongs to another program: the program is left alone and the file goes', async () => {
  const pid = await run('sleep', ['30'])
  writePid(pid)
  expect(findHolder(folder)).toEqual({ holder: 'other', pid })
  await clearOldServer(folder, () => {})
  expect(pidFileExists()).toBe(false)
  expect(isRunning(pid)).toBe(true)
})

test('a Postgres of another data folder is not ours to stop', async () => {
  const pid = await run('bash', ['-c', `exec -a postgres sleep 30`])
  await expect.poll(() => findProcess(pid)?.args[0], patience).toBe('postgres')
  writePid(pid)
  expect(findHolder(folder).holder).toBe('other')
})

test('a server of ours that outlived its starter is stopped', async () => {
  const script = `exec -a postgres bash -c 'trap "exit 0" INT; while true; do sleep 0.05; done' ${folder}`
  const pid = await run('bash', ['-c', script])
  await expect.poll(() => findProcess(pid)?.args[0], patience).toBe('postgres')
  writePid(pid)
  expect(findHolder(folder)).toEqual({ holder: 'ours', pid })
  await clearOldServer(folder, () => {})
  expect(isRunning(pid)).toBe(false)
})

test.runIf(process.platform === 'linux')(
  'a dead process nobody has collected: waits, and goes on once it is collected',
  async () => {
    // `sleep` replaces the shell and never reaps the child.
    const script = `bash -c 'until [ "$(cat /proc/$PPID/comm)" = sleep ]; do :; done' & echo $!; exec sleep 30`
    const parent = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    children.push(parent)
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    await expect.poll(() => findProcess(pid)?.isZombie, patience).toBe(true)
    writePid(pid)
    expect(findHolder(folder)).toEqual({ holder: 'zombie', pid })
    const cleared = clearOldServer(folder, () => {})
    parent.kill('SIGKILL')
    await cleared
    expect(findHolder(folder).holder).toBe('nobody')
  },
)
