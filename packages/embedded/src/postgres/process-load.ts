import { readFileSync, writeFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

export interface ProcessActivity {
  readonly cpuSeconds: number
  /** It runs, or would if a processor were free. */
  readonly isRunnable: boolean
}

const TICKS_PER_SECOND = 100

/** From the state on: the program's name before it may hold spaces and brackets, so fields are counted after the last bracket. */
function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Nothing where there is no such process, and on systems without /proc. */
export function readActivity(pid: number): ProcessActivity | undefined {
  try {
    const fields = readStat(pid)
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
      isRunnable: fields[0] === 'R',
    }
  } catch {
    return undefined
  }
}

/** Its own memory, without what it shares with the other processes of the server; 0 where there is no such process. */
export function readMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** Memory of the machine that programs can still get, and all of it. Nothing on systems without /proc. */
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
 * Lets others go first. Each process of the server has a session of its own, and where the kernel shares the processor
 * by session first, only the niceness of the session counts. False when it has to be asked again: who is not root may set
 * only ten sessions a second.
 */
export function lowerPriority(pid: number, by: number): boolean {
  // The server was started from here: where all of it runs behind others, its sessions begin there too.
  const nice = Math.min(constants.priority.PRIORITY_LOW, getPriority() + by)
  try {
    setPriority(pid, nice)
  } catch {
    return false
  }
  try {
    // The niceness of a session holds for all of its processes: that of a terminal would lower whoever works there.
    if (Number(readStat(pid)[3]) !== pid) return true
    writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EAGAIN'
  }
  return true
}
