import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Check, Finding } from './finding.ts'

const GIB = 1024 ** 3
/** Below this Postgres may stop during a load. */
const MIN_FREE_BYTES = 256 * 1024 ** 2
const LOW_FREE_BYTES = 2 * GIB

export const checkDisk: Check = async ({ config, builtIn }) => {
  const folders = new Set([config.home, ...(builtIn ? [builtIn.folder] : [])])
  const findings: Finding[] = []
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    const { bavail, bsize } = await statfs(folder)
    findings.push(checkFreeSpace(folder, bavail * bsize))
  }
  return findings
}

export function checkFreeSpace(folder: string, free: number): Finding {
  const status = free < MIN_FREE_BYTES ? 'failed' : free < LOW_FREE_BYTES ? 'warning' : 'ok'
  return { check: 'disk space', status, detail: `${(free / GIB).toFixed(1)} GiB free in ${folder}` }
}
