import { readFileSync } from 'node:fs'

/** From /proc, since the server answers late when the CPUs are busy. */
export function listServerProcesses(serverPid: number): number[] {
  return readText(`/proc/${serverPid}/task/${serverPid}/children`).split(' ').filter(Boolean).map(Number)
}

/** Waits for a lock of that process, for seconds if it gets no CPU: read it before lowering its priority. */
export function readTitle(pid: number): string {
  return readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
