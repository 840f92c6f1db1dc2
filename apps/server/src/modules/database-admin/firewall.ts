import type { Firewall } from '@trellis/contract/database-admin/database-admin.schemas'
import { transaction } from '@trellis/control-db/database'
import { canEnforceFirewall } from '@trellis/workspace-db/firewall/apply-firewall'
import type { infer as Infer } from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type OpenDatabase, openDatabase } from '../../platform/workspace-database/open-database.ts'
import { findStoredAccess, lockAccess, type StoredAccess } from './access.repository.ts'
import { getByCode } from './access-state.ts'
import { findNewlyOpen, findOpenScopes } from './addresses/any-address.ts'
import { toCidr, stripHostMask, readCidr } from './addresses/cidr.ts'
import { deleteRules, findRules, insertRule, type NewRule } from './firewall.repository.ts'
import { findDecidingRule, isLive, refreshFirewall } from './firewall-state.ts'
import { readExpiry } from './logins/logins.ts'

const MAX_RULES = 200
const OUTSIDE =
  'This database lives on a server that Trellis does not run, so the rules are kept here and must be set there: in its ' +
  'pg_hba.conf or in the network rules of its provider, allow these addresses for the logins listed under profiles and refuse all others.'

interface RuleBody {
  readonly name: string
  readonly cidr: string
  readonly profile_trellis_code: string | null
  readonly expires_at: string | null
}

async function toFirewall(ctx: WorkspaceCtx, database: OpenDatabase): Promise<Infer<typeof Firewall>> {
  const { profiles } = await findStoredAccess(ctx, database)
  const rules = await findRules(ctx, database)
  const isOurs = canEnforceFirewall(database.cluster)
  const open = new Set(findOpenScopes(rules, ctx.clock.now()).flatMap((scope) => scope.rules))
  return {
    rules: rules.map((rule) => ({
      id: rule.id,
      name: rule.name,
      cidr: rule.cidr,
      profile_trellis_code: profiles.find((profile) => profile.id === rule.database_profile_id)?.trellis_code ?? null,
      expires_at: rule.expires_at?.toISOString() ?? null,
      is_expired: !isLive(rule, ctx.clock.now()),
      is_any_address: open.has(rule),
    })),
    your_address: stripHostMask(toCidr(ctx.http.ip)),
    enforcement: isOurs ? 'applied' : 'outside',
    instructions: isOurs ? null : OUTSIDE,
  }
}

export async function getFirewall(ctx: WorkspaceCtx, code: string): Promise<Infer<typeof Firewall>> {
  return await toFirewall(ctx, await openDatabase(ctx, code))
}

/** An existing rule may have expired, a new one may not. */
export function toRule(
  body: RuleBody,
  storedAccess: StoredAccess,
  { now, at = '' }: { now: Date | null; at?: string },
): NewRule {
  const { profile_trellis_code: code } = body
  return {
    name: body.name,
    cidr: readCidr(body.cidr, `${at}/cidr`),
    database_profile_id: code === null ? null : getByCode(storedAccess.profiles, code, 'profile').id,
    expires_at: now ? readExpiry(body.expires_at, now) : body.expires_at === null ? null : new Date(body.expires_at),
  }
}

export async function addFirewallRule(
  ctx: WorkspaceCtx,
  {
    integration_trellis_code: code,
    accepts_any_address,
    ...body
  }: RuleBody & { integration_trellis_code: string; accepts_any_address: boolean },
): Promise<Infer<typeof Firewall>> {
  return await changeFirewall(ctx, code, async (ctx, database, storedAccess) => {
    const rules = await findRules(ctx, database)
    if (rules.length >= MAX_RULES)
      throw new AppError('conflict', `A database has ${MAX_RULES} rules at most. Delete one first.`)
    const rule = toRule(body, storedAccess, { now: ctx.clock.now() })
    if (!accepts_any_address) assertNotOpen(ctx, rules, [...rules, rule])
    await insertRule(ctx, database, rule)
  })
}

interface FirewallBody {
  readonly integration_trellis_code: string
  readonly rules: readonly RuleBody[]
  readonly accepts_lock_out: boolean
  readonly accepts_any_address: boolean
}

export async function setFirewall(ctx: WorkspaceCtx, body: FirewallBody): Promise<Infer<typeof Firewall>> {
  return await changeFirewall(ctx, body.integration_trellis_code, async (ctx, database, storedAccess) => {
    const wantedRules = body.rules.map((rule, index) =>
      toRule(rule, storedAccess, { now: null, at: `/rules/${index}` }),
    )
    const before = await findRules(ctx, database)
    if (!body.accepts_lock_out) assertStaysIn(ctx, before, wantedRules)
    if (!body.accepts_any_address) assertNotOpen(ctx, before, wantedRules)
    await deleteRules(ctx, database)
    for (const rule of wantedRules) await insertRule(ctx, database, rule)
  })
}

function assertStaysIn(ctx: WorkspaceCtx, before: readonly NewRule[], after: readonly NewRule[]): void {
  const now = ctx.clock.now()
  const address = toCidr(ctx.http.ip)
  const isIn = (rules: readonly NewRule[]) =>
    rules.some((rule) =>
      findDecidingRule(
        [rule].filter((other) => isLive(other, now)),
        { address, profileId: rule.database_profile_id },
      ),
    )
  if (!isIn(before) || isIn(after)) return
  throw new AppError(
    'lock_out',
    `With these rules nothing can connect from ${stripHostMask(address)}, the address you are at. Keep a rule for it, or confirm that this is meant.`,
  )
}

function assertNotOpen(ctx: WorkspaceCtx, before: readonly NewRule[], after: readonly NewRule[]): void {
  const families = findNewlyOpen(before, after, ctx.clock.now())
  if (families.length === 0) return
  throw new AppError(
    'any_address',
    `These rules let in every ${families.join(' and ')} address: anybody who can reach the server can try passwords. Name the addresses you need, or confirm that this is meant.`,
  )
}

/** Stored and applied, or neither; one change per database at a time. */
async function changeFirewall(
  ctx: WorkspaceCtx,
  code: string,
  work: (ctx: WorkspaceCtx, database: OpenDatabase, storedAccess: StoredAccess) => Promise<void>,
): Promise<Infer<typeof Firewall>> {
  const database = await openDatabase(ctx, code)
  return await transaction(ctx, async (ctx) => {
    await lockAccess(ctx, database.workspaceId)
    await work(ctx, database, await findStoredAccess(ctx, database))
    await refreshFirewall(ctx, database)
    return await toFirewall(ctx, database)
  })
}
