import { containsRange } from './cidr.ts'
import type { NewRule } from '../firewall.repository.ts'
import { isLive } from '../firewall-state.ts'

type Family = 'IPv4' | 'IPv6'
type Rule = Pick<NewRule, 'cidr' | 'database_profile_id' | 'expires_at'>

interface OpenScope<R> {
  readonly profileId: number | null
  readonly family: Family
  readonly rules: readonly R[]
}

const getFamily = (cidr: string): Family => (cidr.includes(':') ? 'IPv6' : 'IPv4')

/** Disjoint ranges cover everything if their sizes add up to it. */
function findWidest<R extends Rule>(rules: readonly R[], family: Family): readonly R[] {
  const ownRules = rules.filter((rule) => getFamily(rule.cidr) === family)
  const widest = ownRules.filter(
    (rule) => !ownRules.some((other) => other.cidr !== rule.cidr && containsRange(other.cidr, rule.cidr)),
  )
  const bits = family === 'IPv4' ? 32 : 128
  const sizes = [...new Set(widest.map((rule) => rule.cidr))].map(
    (cidr) => 1n << BigInt(bits - Number(cidr.split('/')[1])),
  )
  return sizes.reduce((sum, size) => sum + size, 0n) === 1n << BigInt(bits) ? widest : []
}

/** Rules that admit every address, alone (`0.0.0.0/0`) or together (two halves). */
export function findOpenScopes<R extends Rule>(rules: readonly R[], now: Date): OpenScope<R>[] {
  const live = rules.filter((rule) => isLive(rule, now))
  const profileIds = new Set([null, ...live.map((rule) => rule.database_profile_id)])
  return [...profileIds].flatMap((profileId) => {
    const own = live.filter((rule) => rule.database_profile_id === null || rule.database_profile_id === profileId)
    return (['IPv4', 'IPv6'] as const)
      .map((family) => ({ profileId, family, rules: findWidest(own, family) }))
      .filter((scope) => scope.rules.length > 0)
  })
}

export function findNewlyOpen(before: readonly Rule[], after: readonly Rule[], now: Date): Family[] {
  const earlier = findOpenScopes(before, now)
  const isEarlier = ({ profileId, family }: OpenScope<Rule>) =>
    earlier.some((scope) => scope.family === family && (scope.profileId === null || scope.profileId === profileId))
  return [
    ...new Set(
      findOpenScopes(after, now)
        .filter((scope) => !isEarlier(scope))
        .map((scope) => scope.family),
    ),
  ]
}
