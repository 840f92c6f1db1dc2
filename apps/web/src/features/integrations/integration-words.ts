import type { Integration, Platform } from '@trellis/contract/integrations/integrations.schemas'
import type { Tone } from '../../ui/feedback/Status.tsx'

type IntegrationStatus = Pick<Integration, 'state' | 'oauth' | 'is_managed'>

interface StateWords {
  text: string
  tone: Tone
}

const STATES: Record<Integration['state'], StateWords> = {
  SETUP: { text: 'Not finished', tone: 'warning' },
  VALIDATING: { text: 'Checking', tone: 'info' },
  ACTIVE: { text: 'Works', tone: 'success' },
  ERROR: { text: 'Does not work', tone: 'danger' },
  ARCHIVED: { text: 'Archived', tone: 'neutral' },
}

export function describeState({ state, oauth }: IntegrationStatus): StateWords {
  if (state === 'SETUP' && oauth && !oauth.is_linked) return { text: 'Waiting for consent', tone: 'warning' }
  return STATES[state]
}

const DAY_MS = 86_400_000
const WARN_DAYS = 14

/** Shown before a run fails. */
export function describeExpiry(expiresAt: string | null | undefined, now: Date): string | null {
  if (!expiresAt) return null
  const days = Math.ceil((Date.parse(expiresAt) - now.getTime()) / DAY_MS)
  if (days > WARN_DAYS) return null
  if (days <= 0) return 'Consent has expired; give it again.'
  return `Consent ends in ${days} ${days === 1 ? 'day' : 'days'}; give it again before that.`
}

export function findTrouble(integration: Pick<Integration, 'problem' | 'state' | 'oauth'>, now: Date): string | null {
  if (integration.state === 'ERROR' && integration.problem) return integration.problem.message
  if (integration.state === 'SETUP' && integration.oauth && !integration.oauth.is_linked) return 'Consent is missing.'
  if (integration.state === 'SETUP') return 'Some settings are missing.'
  return describeExpiry(integration.oauth?.expires_at, now)
}

const TAGS: Record<Platform['tags'][number], string> = {
  source: 'Sources',
  destination: 'Destinations',
  database: 'Databases',
  files: 'Files',
  advertising: 'Advertising',
  analytics: 'Analytics',
  commerce: 'Commerce',
  crm: 'CRM',
  payments: 'Payments',
  spreadsheet: 'Spreadsheets',
  api: 'APIs',
  sample: 'Sample data',
}

export const describeTag = (tag: string): string => TAGS[tag as keyof typeof TAGS] ?? tag

export function describeKinds(kinds: readonly Integration['kinds'][number][]): string {
  const words = [kinds.includes('Extraction') && 'source', kinds.includes('Load') && 'destination'].filter(Boolean)
  const text = words.join(' and ') || 'database'
  return text.charAt(0).toUpperCase() + text.slice(1)
}
