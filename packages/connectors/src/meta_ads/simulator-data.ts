import { countDays, getEarlierDay, splitWindow } from '../shared/day-windows.ts'
import { hashToFraction, getKnownShare, hashToInteger } from '../shared/hash-values.ts'
import type { Entity } from './catalogue.ts'

export const ACCOUNTS = [
  { id: '4000000001', name: 'Shop north', currency: 'EUR' },
  { id: '4000000002', name: 'Shop south', currency: 'EUR' },
  { id: '4000000003', name: 'Shop overseas', currency: 'USD' },
] as const
/** Meta refuses reports of more than a week for this account. */
export const LARGE = '4000000003'

const CAMPAIGNS = 4
const ADSETS = 3
const ADS = 2
const NAMES = ['Spring', 'Summer', 'Autumn', 'Winter']
const ACTIONS_FINAL_DAYS = 28
const CLICKS_FINAL_DAYS = 3

export interface SimulatedReport {
  readonly account: string
  readonly level: string
  readonly fields: readonly string[]
  readonly breakdowns: readonly string[]
  readonly since: string
  readonly until: string
  readonly campaigns: readonly string[] | null
}

interface SimulatedObject {
  readonly campaign: string
  readonly adset: string
  readonly ad: string
}

const count = (length: number) => Array.from({ length }, (_, index) => index + 1)

function listObjects(account: string, level: string): SimulatedObject[] {
  if (level === 'account') return [{ campaign: '', adset: '', ad: '' }]
  const base = `12${account.slice(-1)}`
  return count(CAMPAIGNS).flatMap((c) =>
    count(level === 'campaign' ? 1 : ADSETS).flatMap((s) =>
      count(level === 'ad' ? ADS : 1).map((a) => ({
        campaign: `${base}0${c}`,
        adset: `${base}1${c}${s}`,
        ad: `${base}2${c}${s}${a}`,
      })),
    ),
  )
}

const getSeason = (id: string) => NAMES[Number(id.at(-1)) - 1] ?? id

export function listEntities(account: string, entity: Entity): Record<string, unknown>[] {
  const moments = { created_time: '2025-02-01T10:00:00+0100', updated_time: '2026-03-01T08:30:00+0100' }
  const common = { account_id: account, status: 'ACTIVE', effective_status: 'ACTIVE', ...moments }
  if (entity === 'campaigns') {
    return listObjects(account, 'campaign').map(({ campaign }) => ({
      ...common,
      id: campaign,
      name: `${getSeason(campaign)} sale`,
      objective: 'OUTCOME_SALES',
      buying_type: 'AUCTION',
      daily_budget: '5000',
      budget_remaining: '1200',
      special_ad_categories: [],
      start_time: '2025-02-01T10:00:00+0100',
    }))
  }
  if (entity === 'adsets') {
    return listObjects(account, 'adset').map(({ campaign, adset }) => ({
      ...common,
      id: adset,
      campaign_id: campaign,
      name: `Audience ${adset.slice(-1)}`,
      optimization_goal: 'OFFSITE_CONVERSIONS',
      billing_event: 'IMPRESSIONS',
      targeting: { geo_locations: { countries: ['DE', 'FR'] } },
    }))
  }
  return listObjects(account, 'ad').map(({ campaign, adset, ad }) =>
    entity === 'ads'
      ? {
          ...common,
          id: ad,
          campaign_id: campaign,
          adset_id: adset,
          name: `Ad ${ad.slice(-1)}`,
          creative: { id: `9${ad}` },
        }
      : {
          account_id: account,
          id: `9${ad}`,
          name: `Creative ${ad}`,
          status: 'ACTIVE',
          title: getSeason(campaign),
          object_type: 'SHARE',
        },
  )
}

const BREAKDOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  age: ['25-34', '35-44'],
  gender: ['female', 'male'],
  country: ['DE', 'FR'],
  publisher_platform: ['facebook', 'instagram'],
}

function listBreakdowns(names: readonly string[]): Record<string, string>[] {
  return names.reduce<Record<string, string>[]>(
    (all, name) =>
      all.flatMap((item) =>
        (BREAKDOWN_VALUES[name] ?? [`${name} 1`, `${name} 2`]).map((value) => ({ ...item, [name]: value })),
      ),
    [{}],
  )
}

export interface Records {
  readonly length: number
  between(start: number, end: number): readonly unknown[]
}

/** Rows are generated on access, so that a page of a large report is as cheap as of a small one. */
export function reportRows(report: SimulatedReport, today: string): Records {
  const { account, level, since, until, campaigns } = report
  const days = splitWindow({ from: since, to: getEarlierDay(until, today) }, 1).map(({ from }) => from)
  const things = listObjects(account, level).filter(
    ({ campaign }) => campaigns === null || campaigns.includes(campaign),
  )
  const splits = listBreakdowns(report.breakdowns)
  const length = days.length * things.length * splits.length
  const rowAt = (index: number): Record<string, unknown> => {
    const split = splits[index % splits.length] ?? {}
    const simulatedObject = things[Math.floor(index / splits.length) % things.length] as SimulatedObject
    const day = days[Math.floor(index / splits.length / things.length)] ?? today
    const seed = [
      account,
      simulatedObject.campaign,
      level,
      simulatedObject.adset,
      simulatedObject.ad,
      day,
      JSON.stringify(split),
    ].join('|')
    const all: Record<string, unknown> = {
      ...toNames(account, simulatedObject),
      ...simulateNumbers(seed, countDays(day, today)),
    }
    const asked = report.fields.filter((name) => all[name] !== undefined).map((name) => [name, all[name]])
    return { ...Object.fromEntries(asked), date_start: day, date_stop: day, ...split }
  }
  return {
    length,
    between: (start, end) =>
      Array.from({ length: Math.max(0, Math.min(end, length) - start) }, (_, index) => rowAt(start + index)),
  }
}

export const findRecords = (list: readonly unknown[]): Records => ({
  length: list.length,
  between: (start, end) => list.slice(start, end),
})

function toNames(account: string, { campaign, adset, ad }: SimulatedObject): Record<string, string> {
  const found = ACCOUNTS.find(({ id }) => id === account)
  return {
    account_id: account,
    account_name: found?.name ?? '',
    campaign_id: campaign,
    campaign_name: `${getSeason(campaign)} sale`,
    adset_id: adset,
    adset_name: `Audience ${adset.slice(-1)}`,
    ad_id: ad,
    ad_name: `Ad ${ad.slice(-1)}`,
  }
}

/** Numbers are strings and zeros are omitted, as in Meta's responses. */
function simulateNumbers(seed: string, age: number): Record<string, unknown> {
  const impressions = Math.floor(hashToInteger(100, 4000, seed, 'i') * getKnownShare(age, CLICKS_FINAL_DAYS))
  const clicks = Math.floor(impressions * (0.01 + hashToFraction(seed, 'c') * 0.04))
  const spend = clicks * hashToInteger(15, 120, seed, 's')
  const purchases = Math.floor(clicks * hashToFraction(seed, 'p') * 0.4 * getKnownShare(age, ACTIONS_FINAL_DAYS))
  const reach = Math.floor(impressions * 0.8)
  const per = (a: number, b: number) => (b === 0 ? undefined : (a / b).toFixed(6))
  return {
    impressions: String(impressions),
    reach: String(reach),
    frequency: per(impressions, reach),
    clicks: String(clicks),
    unique_clicks: String(Math.floor(clicks * 0.9)),
    inline_link_clicks: String(Math.floor(clicks * 0.7)),
    spend: (spend / 100).toFixed(2),
    cpc: per(spend / 100, clicks),
    cpm: per(spend * 10, impressions),
    ctr: per(clicks * 100, impressions),
    ...(purchases > 0 ? { actions: [{ action_type: 'purchase', value: String(purchases) }] } : {}),
    ...(purchases > 0 ? { action_values: [{ action_type: 'purchase', value: (purchases * 49).toFixed(2) }] } : {}),
    quality_ranking: 'AVERAGE',
  }
}
