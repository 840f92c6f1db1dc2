import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Backend } from './outside-timer.ts'

/** One live connection of a login, and what is known about the statement on it. */
export interface SessionLink extends Backend {
  readonly client: pg.Client
  readonly pid: number
  /** The bytes as they come in, after decryption. */
  readonly stream: Socket
  isRunning: boolean
  isCut: boolean
}

/** A session of a workspace's login, which the administrator can end. */
export interface OwnLink extends SessionLink {
  readonly user: string
}
