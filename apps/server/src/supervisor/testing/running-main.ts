import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const mainFile = join(import.meta.dirname, '..', '..', 'main.ts')

export interface RunningMain {
  child: ChildProcess
  pid: number
  stdout(): string
  stderr(): string
  ready: Promise<void>
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export function runMain(settings: Record<string, string>, user?: { uid: number; gid: number }): RunningMain {
  const outside = Object.entries(process.env).filter(([name]) => !/^(TRELLIS|VITEST|NODE_OPTIONS)/.test(name))
  const child = spawn(process.execPath, [mainFile], {
    env: { ...Object.fromEntries(outside), NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  let stdout = ''
  let stderr = ''
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => {})
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
    if (stdout.includes('Press Ctrl-C to stop.')) ready.resolve()
  })
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      ready.reject(new Error(`It ended with ${signal ?? code}.\n${stdout}\n${stderr}`))
      resolve({ code, signal })
    })
  })
  return { child, pid: child.pid ?? 0, stdout: () => stdout, stderr: () => stderr, ready: ready.promise, ended }
}

export function findRolePid(supervisor: number, role: string): number | undefined {
  try {
    return (
      Number(execFileSync('pgrep', ['-P', String(supervisor), '-f', `main.ts ${role}$`], { encoding: 'utf8' })) ||
      undefined
    )
  } catch {
    return undefined
  }
}

export function readPostgresPid(home: string): number {
  return Number.parseInt(readFileSync(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10)
}

export function readDatabaseUrl(home: string): string {
  const read = (name: string) => readFileSync(join(home, 'postgres', name), 'utf8').trim()
  return `postgres://trellis_admin:${read('password')}@127.0.0.1:${read('port')}/postgres`
}
