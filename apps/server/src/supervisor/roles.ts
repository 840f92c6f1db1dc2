import type { Config } from '../platform/config.ts'

export type Role = 'api' | 'worker'

/**
 * Workers stream gigabytes: without limits V8 lets garbage grow to twice the memory. A small heap costs loads 5 % of
 * their time.
 */
export const MEMORY_FLAGS: Record<Role, readonly string[]> = {
  api: [],
  worker: ['--max-semi-space-size=4', '--max-old-space-size=1024', '--initial-old-space-size=64'],
}

export interface ReadyInfo {
  demo?: { email: string; password?: string }
  mailboxUrl?: string
}

export interface RunningRole {
  ready: ReadyInfo
  stop(): Promise<void>
}

export type RoleMessage = { type: 'ready'; info: ReadyInfo } | { type: 'problem'; sentence: string }

export type SupervisorMessage = { type: 'shutdown' }

export async function loadRole(role: Role): Promise<(config: Config) => Promise<RunningRole>> {
  if (role === 'api') return (await import('../api.ts')).runApi
  return (await import('../worker.ts')).runWorker
}
