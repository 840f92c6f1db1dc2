import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import {
  MEMORY_FLAGS,
  type Role,
  type RoleMessage,
  type SupervisorMessage,
} from '../../apps/server/src/supervisor/roles.ts'

export interface RoleProcess {
  readonly name: string
  isDown(): boolean
  /** Graceful, as in an upgrade. */
  restart(): Promise<void>
  /** Unexpected exits. */
  readonly exits: readonly string[]
  /** Starts whose connection was cut; they are repeated, as systemd does. */
  readonly failedStarts: readonly string[]
  stop(): Promise<void>
}

interface RoleOptions {
  readonly name: string
  readonly role: Role
  readonly env: Readonly<Record<string, string>>
  readonly home: string
}

const MAX_STARTS = 5
const MAIN = join(import.meta.dirname, '../../apps/server/src/main.ts')

export async function startRole({ name, role, env, home }: RoleOptions): Promise<RoleProcess> {
  const exits: string[] = []
  const failedStarts: string[] = []
  const state = { isDown: true }
  let child: ChildProcess
  const start = async () => {
    const log = openSync(join(home, `${name}.log`), 'a')
    child = fork(MAIN, [role], {
      env: { ...process.env, ...env, TRELLIS_ROLE: role },
      execArgv: [...MEMORY_FLAGS[role]],
      stdio: ['ignore', log, log, 'ipc'],
    })
    closeSync(log)
    const started = child
    await new Promise<void>((resolve, reject) => {
      started.on('message', (message: RoleMessage) =>
        message.type === 'ready' ? resolve() : reject(new Error(message.sentence)),
      )
      started.once('exit', (code, signal) => {
        if (!state.isDown) exits.push(signal ?? String(code))
        reject(new Error(`${name} did not start: ${signal ?? code}.`))
      })
    })
    state.isDown = false
  }
  await start()
  return {
    name,
    isDown: () => state.isDown,
    exits,
    failedStarts,
    async restart() {
      state.isDown = true
      const exit = once(child, 'exit')
      child.send({ type: 'shutdown' } satisfies SupervisorMessage)
      await exit
      for (;;) {
        try {
          return await start()
        } catch (error) {
          failedStarts.push(String(error))
          if (failedStarts.length >= MAX_STARTS) throw error
        }
      }
    },
    async stop() {
      state.isDown = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}
