import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner } from '@trellis/embedded/postgres/process-owner'

export interface ProgramOptions {
  readonly name: string
  readonly file: string
  readonly args: readonly string[]
  readonly folder: string
  readonly owner?: Owner | undefined
  readonly env?: Readonly<Record<string, string>>
}

export function startProgram({ name, file, args, folder, owner, env = {} }: ProgramOptions): ChildProcess {
  const log = openSync(join(folder, `${name}.log`), 'a')
  try {
    return spawn(file, args, {
      ...owner,
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', HOME: folder, ...env },
      stdio: ['ignore', log, log],
    })
  } finally {
    closeSync(log)
  }
}

export async function stopProgram(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await exit
  clearTimeout(timer)
}
