import { readFileSync } from 'node:fs'

/** The processes of a server. Asks the system and not the server, whose answer comes late when the processors are taken. */
export function listServerProcesses(serverPid: number): number[] {
  return readText(`/proc/${serverPid}/task/${serverPid}/children`).split(' ').filter(Boolean).map(Number)
}

/**
 * What a process of the server calls itself: `postgres: anna shop 127.0.0.1(5000) SELECT`. Waits for a lock of that
 * process, which one that gets no processor may hold for seconds: to be read before it is sent behind others.
 */
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
