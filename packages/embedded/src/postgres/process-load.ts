import { readFileSync, writeFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

export interface ProcessActivity {
  readonly cpuSeconds: number
  readonly isRunnable: boolean
}

const TICKS_PER_SECOND = 100
/** Positions of `readStat`'s fields, see proc_pid_stat(5): the first two are cut off. */
const FIELD = { state: 0, session: 3, userTicks: 11, systemTicks: 12 }

/** The program name may contain spaces and brackets, so fields are counted after the last bracket. */
function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Undefined if the process is gone. */
export function readActivity(pid: number): ProcessActivity | undefined {
  try {
    const fields = readStat(pid)
    return {
      cpuSeconds: (Number(fields[FIELD.userTicks]) + Number(fields[FIELD.systemTicks])) / TICKS_PER_SECOND,
      isRunnable: fields[FIELD.state] === 'R',
    }
  } catch {
    return undefined
  }
}

/** Private memory, without shared buffers; 0 if the process is gone. */
export function readMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

export function readMachineMemory(): { availableBytes: number; totalBytes: number } | undefined {
  try {
    const text = readFileSync('/proc/meminfo', 'utf8')
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
    return { availableBytes: read('MemAvailable'), totalBytes: read('MemTotal') }
  } catch {
    return undefined
  }
}

/**
 * Autogroup scheduling counts only the session's niceness. False means try again: the kernel allows ten changes a
 * second.
 */
export function lowerPriority(pid: number, by: number): boolean {
  // Relative to our own niceness, where the server's sessions start.
  const nice = Math.min(constants.priority.PRIORITY_LOW, getPriority() + by)
  try {
    setPriority(pid, nice)
  } catch {
    return false
  }
  try {
    // Only for a session leader: lowering a terminal's session would affect its user.
    if (Number(readStat(pid)[FIELD.session]) !== pid) return true
    writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EAGAIN'
  }
  return true
}
