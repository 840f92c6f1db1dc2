import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Backend } from './statement-timer.ts'

/** The connection of one session, with what is needed to end it from outside. */
export interface SessionConnection extends Backend {
  readonly client: pg.Client
  readonly pid: number
  /** After TLS decryption. */
  readonly stream: Socket
  isRunning: boolean
  isSocketDestroyed: boolean
}

/** A connection of a workspace's login, by which its backend is found again. */
export interface LoginConnection extends SessionConnection {
  readonly user: string
}
