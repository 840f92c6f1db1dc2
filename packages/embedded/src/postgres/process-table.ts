import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface ProcessInfo {
  isZombie: boolean
  args: string[]
  /** Distinguishes processes that reuse a pid. */
  start: string
}

export function findProcess(pid: number): ProcessInfo | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return process.platform === 'linux' ? findInProc(pid) : findWithPs(pid)
}

function findInProc(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
    return { isZombie: fields[0] === 'Z' || fields[0] === 'X', args, start: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function findWithPs(pid: number): ProcessInfo | undefined {
  try {
    const line = execFileSync('ps', ['-ww', '-o', 'stat=,lstart=,command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    const match = /^(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line)
    if (!match) return undefined
    const [, state = '', start = '', command = ''] = match
    return { isZombie: state.startsWith('Z'), args: command.split(' '), start }
  } catch {
    return undefined
  }
}

export function isRunning(pid: number): boolean {
  const process = findProcess(pid)
  return process !== undefined && !process.isZombie
}

export async function waitForEnd(pid: number, milliseconds: number): Promise<boolean> {
  const until = Date.now() + milliseconds
  while (isRunning(pid)) {
    if (Date.now() > until) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}

export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}
