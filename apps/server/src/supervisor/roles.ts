import type { Config } from '../platform/config.ts'

/** The long-running parts of the product; each runs as a process of its own. */
export type Role = 'api' | 'worker'

/**
 * A worker passes gigabytes through: left alone, V8 lets what was read pile up to twice the memory before it clears it away.
 * With a small heap to begin with it looks through all of it every few megabytes, which costs a load a twentieth of its time.
 */
export const MEMORY_FLAGS: Record<Role, readonly string[]> = {
  api: [],
  worker: ['--max-semi-space-size=4', '--max-old-space-size=1024', '--initial-old-space-size=64'],
}

/** What a role has to say to the person at the terminal once it is ready. */
export interface ReadyInfo {
  /** The demo sign-in; the password only when it was made just now. */
  demo?: { email: string; password?: string }
  /** Where mail that leaves nobody's machine can be read. */
  mailboxUrl?: string
}

/** A role at work, as `runApi` and `runWorker` return it. */
export interface RunningRole {
  ready: ReadyInfo
  /** Takes nothing new, finishes what is at hand, and answers when done. */
  stop(): Promise<void>
}

/** From a role's process to the supervisor. */
export type RoleMessage = { type: 'ready'; info: ReadyInfo } | { type: 'problem'; sentence: string }

/** From the supervisor to a role's process. */
export type SupervisorMessage = { type: 'shutdown' }

export async function loadRole(role: Role): Promise<(config: Config) => Promise<RunningRole>> {
  if (role === 'api') return (await import('../api.ts')).runApi
  return (await import('../worker.ts')).runWorker
}
