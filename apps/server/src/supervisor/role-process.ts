import { fork, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal, waitForEnd } from '@trellis/embedded/postgres/process-table'
import { startError } from '@trellis/embedded/postgres/start-problem'
import { MEMORY_FLAGS, type ReadyInfo, type Role, type RoleMessage, type SupervisorMessage } from './roles.ts'
import type { Terminal } from './terminal.ts'

const mainFile = new URL('../main.ts', import.meta.url)
const stopPatience = 3500
const stableAfter = 60_000

export interface RoleProcess {
  ready: Promise<ReadyInfo>
  stop(): Promise<void>
  restartWith(settings: Record<string, string>): void
}

interface Request {
  role: Role
  settings: Record<string, string>
  terminal: Terminal
}

interface ProcessExit {
  reason: string
  problem: string | undefined
}

/** Restarts a process that ends unexpectedly, with backoff. */
export function superviseRole({ role, settings, terminal }: Request): RoleProcess {
  const first = Promise.withResolvers<ReadyInfo>()
  first.promise.catch(() => {})
  const stopping = new AbortController()
  let present: ChildProcess | undefined
  let current = settings
  let wasReady = false

  const onReady = (info: ReadyInfo) => {
    if (wasReady) terminal.warn(`The ${role} is back.`)
    wasReady = true
    first.resolve(info)
  }

  async function runUntilExit(): Promise<ProcessExit> {
    const child = fork(mainFile, [role], {
      env: { ...process.env, ...current, TRELLIS_ROLE: role },
      execArgv: [...process.execArgv, ...MEMORY_FLAGS[role]],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    present = child
    child.stdout?.on('data', (chunk: Buffer) => terminal.takeLog(role, chunk))
    child.stderr?.on('data', (chunk: Buffer) => terminal.takeLog(role, chunk))
    let problem: string | undefined
    child.on('message', (message: RoleMessage) => {
      if (message.type === 'ready') onReady(message.info)
      else problem = message.sentence
    })
    return await new Promise<ProcessExit>((resolve) => {
      child.once('error', (error) => resolve({ reason: error.message, problem }))
      child.once('exit', (code, signal) => resolve({ reason: signal ?? `code ${code}`, problem }))
    })
  }

  async function restartUntilStopped(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const startedAt = Date.now()
      const { reason, problem } = await runUntilExit()
      if (stopping.signal.aborted) break
      const sentence = problem ?? `The ${role} ended while starting (${reason}). More is in ${terminal.logPath(role)}.`
      if (!wasReady) return first.reject(startError(sentence))
      failures = Date.now() - startedAt > stableAfter ? 0 : failures + 1
      terminal.warn(problem ?? `The ${role} stopped unexpectedly (${reason}).`)
      terminal.warn(`Starting the ${role} again.`)
      await sleep(Math.min(100 * 2 ** failures, 10_000), undefined, { signal: stopping.signal }).catch(() => {})
    }
    first.reject(startError('Trellis was stopped while starting.'))
  }

  const ended = restartUntilStopped()
  return {
    ready: first.promise,
    restartWith: (changed) => {
      current = { ...current, ...changed }
      present?.kill('SIGTERM')
    },
    stop: async () => {
      stopping.abort()
      if (present) await endChild(present)
      await ended
    },
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const message: SupervisorMessage = { type: 'shutdown' }
  if (child.connected) child.send(message, () => {})
  else child.kill('SIGTERM')
  if (!(await waitForEnd(child.pid, stopPatience))) sendSignal(child.pid, 'SIGKILL')
}
