import type { ControlDb } from '@trellis/control-db/database'
import type { Config } from '../config.ts'
import type { Server } from './read-servers.ts'

/** What a person reads: that all is well, or what is wrong and what to do about it. */
export type CheckResult =
  | { readonly status: 'ok'; readonly detail: string }
  | { readonly status: 'warning' | 'failed'; readonly detail: string; readonly advice: string }

interface ServerCheckInput {
  /** Every address of the settings, the control database first. */
  readonly servers: readonly [Server, ...Server[]]
  /** Its logins are made by Trellis itself. */
  readonly isBuiltIn: boolean
  /** There is an address past the pooler. */
  readonly hasDirectUrl: boolean
}

export interface StartCheckInput extends ServerCheckInput {
  readonly config: Config
  readonly control: Pick<ControlDb, 'db'>
}

export type ServerCheck = (input: ServerCheckInput) => CheckResult
export type StartCheck = (input: StartCheckInput) => CheckResult | Promise<CheckResult>

export const pass = (detail: string): CheckResult => ({ status: 'ok', detail })
export const fail = (detail: string, advice: string): CheckResult => ({ status: 'failed', detail, advice })
export const warn = (detail: string, advice: string): CheckResult => ({ status: 'warning', detail, advice })
