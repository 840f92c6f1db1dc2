import { Readable } from 'node:stream'
import type { AccountTypeName } from '@trellis/contract/billing/plans'
import { type AccountRole, type WorkspaceRole, toWorkspaceRole } from '@trellis/contract/core/permissions'
import type { SystemCtx, HttpExchange, WorkspaceCtx } from './ctx.ts'

export interface WorkspaceWithAccount {
  readonly account_id: number
  readonly account_code: string
  readonly account_type: AccountTypeName
  readonly stripe_plan_end_date: Date | null
  readonly workspace_id: number
  readonly workspace_code: string
  readonly workspace_address: string
}

export interface PersonRow extends WorkspaceWithAccount {
  readonly profile_id: number
  readonly trellis_user_code: string
  readonly email: string
  readonly first_name: string
  readonly surname: string
  readonly account_role: AccountRole | null
  readonly workspace_role: WorkspaceRole | null
}

/** For background work with a person's current permissions; undefined if they lost access. */
export function toPersonCtx(ctx: SystemCtx, row: PersonRow, signal: AbortSignal): WorkspaceCtx | undefined {
  const role = row.account_role && toWorkspaceRole(row.account_role, row.workspace_role)
  if (!row.account_role || !role) return undefined
  return {
    ...ctx,
    db: ctx.db as unknown as WorkspaceCtx['db'],
    http: toHttpExchange(signal),
    actor: {
      profileId: row.profile_id,
      userCode: row.trellis_user_code,
      email: row.email,
      firstName: row.first_name,
      surname: row.surname,
      sessionId: null,
      scopes: null,
    },
    account: {
      id: row.account_id,
      code: row.account_code,
      role: row.account_role,
      type: row.account_type,
      planEnd: row.stripe_plan_end_date,
    },
    workspace: { id: row.workspace_id, code: row.workspace_code, address: row.workspace_address, role },
  }
}

const NOBODY_ID = 0

export function toOwnerCtx(ctx: SystemCtx, account: WorkspaceWithAccount, signal: AbortSignal): WorkspaceCtx {
  const nobody = { profile_id: NOBODY_ID, trellis_user_code: '', email: '', first_name: '', surname: '' }
  const row = { ...account, ...nobody, account_role: 'owner' as const, workspace_role: null }
  return toPersonCtx(ctx, row, signal) as WorkspaceCtx
}

export const isNobody = ({ actor }: WorkspaceCtx): boolean => actor.profileId === NOBODY_ID

export const findProfileId = (ctx: WorkspaceCtx): number | null => (isNobody(ctx) ? null : ctx.actor.profileId)

const toHttpExchange = (signal: AbortSignal): HttpExchange => ({
  ip: '',
  isFromThisMachine: true,
  userAgent: '',
  authorization: undefined,
  wantsRefreshInBody: false,
  signal,
  bytes: () => Readable.from([]),
  form: async () => ({ fields: {}, isWhole: true }),
  signedIn: async () => {
    throw new Error('Nobody is signed in.')
  },
  addAuditDetail: () => undefined,
  auditDetail: {},
  auditNow: () => undefined,
  cookie: () => undefined,
  setCookie: () => undefined,
})
