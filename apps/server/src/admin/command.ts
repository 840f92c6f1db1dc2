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
  readonly replace?: boolean
  readonly 'without-objects'?: boolean
  readonly 'passphrase-file'?: string
  readonly json?: boolean
}

/** A command that needs no installation to be there. */
export interface OfflineCommand {
  readonly config: Config
  readonly args: readonly string[]
  readonly flags: AdminFlags
  /** What goes on meanwhile. */
  readonly say: (line: string) => void
  /** The result: as JSON when that was asked for, else as text. */
  readonly show: (result: object, text: string) => void
}

export interface AdminCommand extends Omit<OfflineCommand, 'config'> {
  readonly installation: Installation
}
