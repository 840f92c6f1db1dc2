import type { Readable } from 'node:stream'
import type { AccountTypeName } from '@trellis/contract/billing/plans'
import type { AccountRole, WorkspaceRole } from '@trellis/contract/core/permissions'
import type { TokenScope } from '@trellis/contract/tokens/tokens.endpoints'
import type { Db, TenantDb } from '@trellis/control-db/database'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'
import type { Ports } from './ports.ts'

export interface BaseCtx {
  readonly clock: Clock
  readonly log: Logger
  readonly ports: Ports
  readonly requestId: string
}

export interface SystemCtx extends BaseCtx {
  readonly db: Db
}

export interface HttpExchange {
  readonly ip: string
  /** Both the peer's address and the Host are local. */
  readonly isFromThisMachine: boolean
  readonly userAgent: string
  readonly authorization: string | undefined
  readonly wantsRefreshInBody: boolean
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  bytes(): Readable
  form(options: { maxBytes: number; take: (file: Readable, fileName: string) => Promise<void> }): Promise<{
    readonly fields: Readonly<Record<string, string>>
    readonly isWhole: boolean
  }>
  /** Throws without a session. For public endpoints that complete something a signed-in person started. */
  signedIn(): Promise<Actor>
  addAuditDetail(detail: Readonly<Record<string, string>>): void
  readonly auditDetail: Readonly<Record<string, string>>
  /** Writes the audit line early, for requests that stay open. */
  auditNow(): void
  cookie(name: string): string | undefined
  setCookie(name: string, value: string | null, options: { path: string; maxAgeSeconds?: number }): void
}

export interface PublicCtx extends SystemCtx {
  readonly http: HttpExchange
}

export interface Actor {
  readonly profileId: number
  readonly userCode: string
  readonly email: string
  readonly firstName: string
  readonly surname: string
  /** Null for a personal access token. */
  readonly sessionId: string | null
  readonly scopes: readonly TokenScope[] | null
}

export interface ProfileCtx extends PublicCtx {
  readonly actor: Actor
}

export interface AccountCtx extends BaseCtx {
  readonly db: TenantDb
  readonly http: HttpExchange
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
