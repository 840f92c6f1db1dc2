import type { ControlDb } from '@trellis/control-db/database'
import type { Config } from '../config.ts'
import type { Server } from './read-servers.ts'

export type CheckResult =
  | { readonly status: 'ok'; readonly detail: string }
  | { readonly status: 'warning' | 'failed'; readonly detail: string; readonly advice: string }

interface ServerCheckInput {
  readonly servers: readonly [Server, ...Server[]]
  readonly isBuiltIn: boolean
  readonly hasDirectUrl: boolean
}

export interface StartCheckInput extends ServerCheckInput {
  readonly config: Config
  readonly control: Pick<ControlDb, 'db'>
}

export type ServerCheck = (input: ServerCheckInput) => CheckResult
export type StartCheck = (input: StartCheckInput) => CheckResult | Promise<CheckResult>

export const passCheck = (detail: string): CheckResult => ({ status: 'ok', detail })
export const fail = (detail: string, advice: string): CheckResult => ({ status: 'failed', detail, advice })
export const warn = (detail: string, advice: string): CheckResult => ({ status: 'warning', detail, advice })
