import { applyFirewall, canEnforceFirewall } from '@trellis/workspace-db/firewall/apply-firewall'
import type { FirewallLine } from '@trellis/workspace-db/firewall/firewall-lines'
import { LOGIN_SUFFIXES } from '@trellis/workspace-db/roles/access-names'
import { endSession, findSessions } from '@trellis/workspace-db/roles/external-sessions'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import type { OpenDatabase } from '../../platform/workspace-database/open-database.ts'
import { findStoredAccess, type ProfileRow } from './access.repository.ts'
import { containsRange, findCidr } from './addresses/cidr.ts'
import { findRules, type NewRule } from './firewall.repository.ts'
import { getLoginName, type NamedRow, toNamed } from './logins/login-name.ts'

export const isLive = (rule: Pick<NewRule, 'expires_at'>, now: Date): boolean =>
  rule.expires_at === null || rule.expires_at > now

export function findDecidingRule<R extends NewRule>(
  rules: readonly R[],
  { address, profileId }: { address: string; profileId: number | null },
): R | undefined {
  return rules
    .filter((rule) => rule.database_profile_id === null || rule.database_profile_id === profileId)
    .filter((rule) => containsRange(rule.cidr, address))
    .toSorted((rule, other) => Number(other.cidr.split('/')[1]) - Number(rule.cidr.split('/')[1]))[0]
}

export function toFirewallLines(
  database: OpenDatabase,
  rules: readonly NewRule[],
  { profiles, now }: { profiles: readonly ProfileRow[]; now: Date },
): FirewallLine[] {
  return rules
    .filter((rule) => isLive(rule, now))
    .flatMap(({ cidr, database_profile_id: id }) => {
      const profile = profiles.find((profileRow) => profileRow.id === id)
      if (id !== null && !profile) return []
      return [{ database: database.database, profile: profile ? toNamed(profile) : null, cidr }]
    })
}

/** Applies the rules, and terminates sessions that none admits any more. */
export async function refreshFirewall(ctx: WorkspaceCtx, database: OpenDatabase): Promise<void> {
  if (!canEnforceFirewall(database.cluster)) return
  const now = ctx.clock.now()
  const rules = await findRules(ctx, database)
  const { profiles } = await findStoredAccess(ctx, database)
  const lines = toFirewallLines(database, rules, { profiles, now })
  await applyFirewall(database.cluster, { databases: [database.database], lines }).catch((error: unknown) => {
    throw new AppError('unavailable', 'The database server did not take the rules. Nothing was changed.', {
      cause: error,
    })
  })
  const live = rules.filter((rule) => isLive(rule, now))
  for (const session of await findSessions(database.cluster, database)) {
    const profile = profiles.find((profileRow) => listLoginNames(database, profileRow).includes(session.user))
    const address = findCidr(session.address ?? '')
    if (!profile || address === undefined) continue
    if (findDecidingRule(live, { address, profileId: profile.id })) continue
    await endSession(database.cluster, { key: database.key, pid: session.pid })
  }
}

export const listLoginNames = (database: Pick<OpenDatabase, 'key'>, profile: NamedRow): string[] =>
  LOGIN_SUFFIXES.map((suffix) => getLoginName(database.key, profile, suffix))
