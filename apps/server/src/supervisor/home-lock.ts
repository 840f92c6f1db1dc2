import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProcess } from '@trellis/embedded/postgres/process-table'
import { toStartProblem, startError } from '@trellis/embedded/postgres/start-problem'

export interface HomeLock {
  wasStale: boolean
  release(): void
}

interface Holder {
  pid: number
  /** Start time of the process, since pids are reused. */
  start: string
  address: string
}

export async function acquireHomeLock(home: string, address: string): Promise<HomeLock> {
  const path = join(home, 'lock')
  const mine: Holder = { pid: process.pid, start: findProcess(process.pid)?.start ?? '', address }
  let wasStale = false
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (tryCreate(path, mine)) return { wasStale, release: () => isMine(path, mine) && rmSync(path, { force: true }) }
    const holder = readHolder(path)
    if (holder && isAlive(holder)) throw alreadyRunningError(home, holder)
    wasStale = true
    removeStale(path)
    await sleep(10)
  }
  throw startError(`Another Trellis is starting in ${home}. Wait a moment and try again.`)
}

// link() is atomic, so nobody reads half a lock.
function tryCreate(path: string, mine: Holder): boolean {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 })
  } catch (error) {
    throw toStartProblem(error, path)
  }
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw toStartProblem(error, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

// Of two processes that found the same stale lock, the slower may have moved the faster one's new lock: put it back.
function removeStale(path: string): void {
  const aside = `${path}.${process.pid}.stale`
  try {
    renameSync(path, aside)
    const holder = readHolder(aside)
    if (holder && isAlive(holder)) linkSync(aside, path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'EEXIST')) throw toStartProblem(error, path)
  } finally {
    rmSync(aside, { force: true })
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

function isMine(path: string, mine: Holder): boolean {
  const holder = readHolder(path)
  return holder?.pid === mine.pid && holder.start === mine.start
}

function isAlive(holder: Holder): boolean {
  const process = findProcess(holder.pid)
  return process !== undefined && !process.isZombie && process.start === holder.start
}

function alreadyRunningError(home: string, { pid, address }: Holder): Error {
  return startError(
    `Trellis already runs here (process ${pid}, ${address}). Stop it first, or set TRELLIS_HOME to another folder than ${home}.`,
  )
}
