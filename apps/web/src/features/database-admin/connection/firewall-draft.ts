import type { FirewallRule } from '@trellis/contract/database-admin/database-admin.schemas'

export interface RuleDraft {
  name: string
  cidr: string
  profile_trellis_code: string | null
  expires_at: string | null
}

export const EMPTY_RULE: RuleDraft = { name: '', cidr: '', profile_trellis_code: null, expires_at: null }

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$|\/)|(?=$|\/))){4}(?:\/(?:[0-9]|[12]\d|3[0-2]))?$/
const V6 = /^[0-9a-f:.]*:[0-9a-f:.]*(?:\/(?:\d|[1-9]\d|1[01]\d|12[0-8]))?$/i

/** A rough check while typing; the server validates. */
export function findCidrProblem(text: string): string | undefined {
  const value = text.trim()
  if (value === '') return 'Field required'
  return V4.test(value) || V6.test(value)
    ? undefined
    : 'An address or a range: 203.0.113.7, 203.0.113.0/24, 2001:db8::/32'
}

export const isAnyAddress = (cidr: string) => cidr.trim().endsWith('/0')

export const toDraft = ({ name, cidr, profile_trellis_code, expires_at }: FirewallRule): RuleDraft => ({
  name,
  cidr,
  profile_trellis_code,
  expires_at,
})

export const withDraft = (rules: readonly FirewallRule[], draft: RuleDraft, edited?: FirewallRule): RuleDraft[] =>
  edited
    ? rules.map((rule) => (rule.id === edited.id ? draft : toDraft(rule)))
    : [...rules.map((rule) => toDraft(rule)), draft]

export function myAddressRule(address: string, today: Date): RuleDraft {
  const name = `My address ${today.toISOString().slice(0, 10)}`
  return { ...EMPTY_RULE, name, cidr: address.includes(':') ? `${address}/128` : `${address}/32` }
}
