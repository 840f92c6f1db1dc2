import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

const NOT_FOUND = 127

/** A container may have fewer than the machine. Empty without /proc. */
export function listProcessors(): number[] {
  return readProcessors('self')
}

export function readProcessors(pid: number | 'self'): number[] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(status)?.[1] ?? ''
    return list.split(',').flatMap(readRange)
  } catch {
    return []
  }
}

function readRange(text: string): number[] {
  const [first = Number.NaN, last = first] = text.split('-').map(Number)
  return Array.from({ length: Math.max(last - first + 1, 0) || 0 }, (_, at) => first + at)
}

export async function setProcessors(pids: readonly number[], processors: readonly number[]): Promise<boolean> {
  const script = 'for pid; do taskset -p -c "$0" "$pid"; done'
  return await new Promise((resolve) => {
    execFile('sh', ['-c', script, processors.join(), ...pids.map(String)], (error) =>
      resolve(error === null || (typeof error.code === 'number' && error.code !== NOT_FOUND)),
    )
  })
}
