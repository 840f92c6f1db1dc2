import type { Readable } from 'node:stream'
import type { AccountTypeName } from '@trellis/contract/billing/plans'
import type { AccountRole, WorkspaceRole } from '@trellis/contract/core/permissions'
import type { TokenScope } from '@trellis/contract/tokens/tokens.endpoints'
import type { Db, TenantDb } from '@trellis/control-db/database'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'
import type { Ports } from './ports.ts'

/** What every use case can rely on, whoever called it: a person over HTTP or a job in the worker. */
export interface BaseCtx {
  readonly clock: Clock
  readonly log: Logger
  readonly ports: Ports
  readonly requestId: string
}

/** The platform itself at work: jobs, start-up, maintenance. */
export interface SystemCtx extends BaseCtx {
  readonly db: Db
}

/** What a handler may know of and say to the wire beyond its parsed input. */
export interface Wire {
  readonly ip: string
  /** The peer's address and the name it asked for are both of this machine. */
  readonly isFromThisMachine: boolean
  readonly userAgent: string
  readonly authorization: string | undefined
  readonly wantsRefreshInBody: boolean
  /** Ends when the caller goes away before the answer is sent. */
  readonly signal: AbortSignal
  /** The body of a call that receives bytes, as it comes. */
  bytes(): Readable
  /** The body of a call that receives a form: `take` gets the file as it comes. */
  form(options: { mostBytes: number; take: (file: Readable, fileName: string) => Promise<void> }): Promise<{
    readonly fields: Readonly<Record<string, string>>
    readonly isWhole: boolean
  }>
  /** Who calls a public call that finishes what somebody signed in began; throws when nobody is signed in. */
  signedIn(): Promise<Actor>
  /** Goes into the line that the trail gets for this call: what was done to what, in words. */
  note(detail: Readonly<Record<string, string>>): void
  readonly noted: Readonly<Record<string, string>>
  /** Writes that line while the call still waits for something; otherwise it is written when the work is done. */
  auditNow(): void
  cookie(name: string): string | undefined
  setCookie(name: string, value: string | null, options: { path: string; maxAgeSeconds?: number }): void
}

export interface PublicCtx extends SystemCtx {
  readonly wire: Wire
}

export interface Actor {
  readonly profileId: number
  readonly userCode: string
  readonly email: string
  readonly firstName: string
  readonly surname: string
  /** None for a personal access token. */
  readonly sessionId: string | null
  /** What a personal access token may do; a session may do whatever its owner may. */
  readonly scopes: readonly TokenScope[] | null
}

export interface ProfileCtx extends PublicCtx {
  readonly actor: Actor
}

export interface AccountCtx extends BaseCtx {
  readonly db: TenantDb
  readonly wire: Wire
  readonly actor: Actor
  readonly account: {
    readonly id: number
    readonly code: string
    readonly role: AccountRole
    readonly type: AccountTypeName
    readonly planEnd: Date | null
  }
}

export interface WorkspaceCtx extends AccountCtx {
  readonly workspace: {
    readonly id: number
    readonly code: string
    readonly address: string
    readonly role: WorkspaceRole
  }
}

export interface CtxByScope {
  public: PublicCtx
  profile: ProfileCtx
  account: AccountCtx
  workspace: WorkspaceCtx
}

export type AnyCtx = CtxByScope[keyof CtxByScope]
