import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Backend } from './outside-timer.ts'

export interface SessionLink extends Backend {
  readonly client: pg.Client
  readonly pid: number
  /** After TLS decryption. */
  readonly stream: Socket
  isRunning: boolean
  isCut: boolean
}

export interface OwnLink extends SessionLink {
  readonly user: string
}
