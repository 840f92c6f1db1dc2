import { rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { readUntrusted } from './own-file.ts'
import { findProcess, sendSignal, waitForEnd } from './process-table.ts'
import { startError } from './start-problem.ts'

export type Holder = 'nobody' | 'zombie' | 'ours' | 'other'

export function findHolder(dataDir: string): { holder: Holder; pid: number } {
  const pid = readPid(dataDir)
  const processInfo = pid === undefined ? undefined : findProcess(pid)
  if (pid === undefined || !processInfo) return { holder: 'nobody', pid: pid ?? 0 }
  if (processInfo.isZombie) return { holder: 'zombie', pid }
  return { holder: isPostmaster(dataDir, processInfo.args) ? 'ours' : 'other', pid }
}

function readPid(dataDir: string): number | undefined {
  try {
    const pid = Number.parseInt(readUntrusted(join(dataDir, 'postmaster.pid')) ?? '', 10)
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function isPostmaster(dataDir: string, args: string[]): boolean {
  const wanted = resolve(dataDir)
  return basename(args[0] ?? '').startsWith('postgres') && args.some((arg) => resolve(arg) === wanted)
}

/** If the pid belongs to another program by now, Postgres would refuse to start, so the file is removed. */
export async function clearOldServer(dataDir: string, log: (line: string) => void): Promise<void> {
  const { holder, pid } = findHolder(dataDir)
  if (holder === 'ours') {
    log(`Postgres from an earlier start still runs (process ${pid}); stopping it first.`)
    if (!(await stopServer(pid))) throw startError(`Postgres (process ${pid}) does not stop. End it and start again.`)
  }
  if (holder === 'zombie') await waitForReaper(dataDir)
  if (holder === 'other' || findHolder(dataDir).holder === 'zombie')
    rmSync(join(dataDir, 'postmaster.pid'), { force: true })
}

// In a container whose init does not reap, a zombie stays forever: hence the limit.
async function waitForReaper(dataDir: string): Promise<void> {
  const until = Date.now() + 5000
  while (findHolder(dataDir).holder === 'zombie' && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Fast shutdown, then immediate, which only costs a recovery at the next start. */
export async function stopServer(pid: number): Promise<boolean> {
  const steps = [
    ['SIGINT', 8000],
    ['SIGQUIT', 4000],
    ['SIGKILL', 4000],
  ] as const
  for (const [signal, patience] of steps) {
    sendSignal(pid, signal)
    if (await waitForEnd(pid, patience)) return true
  }
  return false
}
