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
  readonly 'address-file'?: string
  readonly 'replica-file'?: string
  readonly 'no-replica'?: boolean
  readonly capacity?: string
  readonly to?: string
  readonly wait?: string
  readonly open?: boolean
  readonly full?: boolean
  readonly json?: boolean
}

export interface OfflineCommand {
  readonly config: Config
  readonly args: readonly string[]
  readonly flags: AdminFlags
  /** Progress, to stderr. */
  readonly say: (line: string) => void
  readonly show: (result: object, text: string) => void
}

export interface AdminCommand extends Omit<OfflineCommand, 'config'> {
  readonly installation: Installation
}
