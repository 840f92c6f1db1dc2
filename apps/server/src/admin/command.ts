import type { Config } from '../platform/config.ts'
import type { Installation } from './open-installation.ts'

export interface AdminTerminal {
  readonly readConfig: () => Config
  readonly print: (line: string) => void
  readonly say: (line: string) => void
}

export interface AdminFlags {
  readonly failed?: boolean
  readonly all?: boolean
  readonly finish?: boolean
  readonly json?: boolean
}

export interface AdminCommand {
  readonly installation: Installation
  readonly args: readonly string[]
  readonly flags: AdminFlags
  /** The result: as JSON when that was asked for, else as text. */
  readonly show: (result: object, text: string) => void
}
