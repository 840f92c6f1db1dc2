import type { Field } from '@trellis/connector-kit/batch'
import type { ColumnType } from '@trellis/contract/explorer/column-types'

/** One `name:type` per field: s text, i integer, d decimal, t timestamptz, j JSON. */
const TYPES: Readonly<Record<string, ColumnType>> = {
  s: 'text',
  i: 'integer',
  d: 'decimal',
  t: 'timestamptz',
  j: 'json',
  date: 'date',
}

function parseFields(text: string): Field[] {
  return text.split(/\s+/).map((word) => {
    const [name = '', letter = ''] = word.split(':')
    const type = TYPES[letter]
    if (!type) throw new Error(`The catalogue of Meta Ads holds the unreadable field ${word}`)
    return { name, type, isNullable: name !== 'id' }
  })
}

export const ENTITIES = {
  campaigns: parseFields(
    `id:s account_id:s name:s status:s effective_status:s objective:s buying_type:s bid_strategy:s daily_budget:i
    lifetime_budget:i budget_remaining:i special_ad_categories:j start_time:t stop_time:t created_time:t updated_time:t`.trim(),
  ),
  adsets: parseFields(
    `id:s account_id:s campaign_id:s name:s status:s effective_status:s optimization_goal:s billing_event:s bid_amount:i
    daily_budget:i lifetime_budget:i targeting:j start_time:t end_time:t created_time:t updated_time:t`.trim(),
  ),
  ads: parseFields(
    `id:s account_id:s campaign_id:s adset_id:s name:s status:s effective_status:s creative:j created_time:t updated_time:t`,
  ),
  adcreatives: parseFields(
    `id:s account_id:s name:s status:s title:s body:s call_to_action_type:s object_type:s image_url:s thumbnail_url:s`,
  ),
} as const
export type Entity = keyof typeof ENTITIES

export const LEVELS = ['account', 'campaign', 'adset', 'ad'] as const
export type Level = (typeof LEVELS)[number]

const LEVEL_FIELDS: Readonly<Record<Level, readonly string[]>> = {
  account: ['account_id', 'account_name'],
  campaign: ['account_id', 'account_name', 'campaign_id', 'campaign_name'],
  adset: ['account_id', 'account_name', 'campaign_id', 'campaign_name', 'adset_id', 'adset_name'],
  ad: ['account_id', 'account_name', 'campaign_id', 'campaign_name', 'adset_id', 'adset_name', 'ad_id', 'ad_name'],
}

export const METRICS: readonly (Field & { readonly label: string })[] = [
  ['impressions:i', 'Impressions'],
  ['reach:i', 'Reach'],
  ['frequency:d', 'Frequency'],
  ['clicks:i', 'Clicks (all)'],
  ['unique_clicks:i', 'Unique clicks'],
  ['inline_link_clicks:i', 'Link clicks'],
  ['outbound_clicks:j', 'Outbound clicks'],
  ['spend:d', 'Amount spent'],
  ['cpc:d', 'Cost per click'],
  ['cpm:d', 'Cost per 1,000 impressions'],
  ['cpp:d', 'Cost per 1,000 people reached'],
  ['ctr:d', 'Click-through rate'],
  ['unique_ctr:d', 'Unique click-through rate'],
  ['actions:j', 'Actions'],
  ['action_values:j', 'Values of actions'],
  ['cost_per_action_type:j', 'Cost per action'],
  ['conversions:j', 'Conversions'],
  ['purchase_roas:j', 'Return on ad spend'],
  ['video_p25_watched_actions:j', 'Video watched to 25 %'],
  ['video_p50_watched_actions:j', 'Video watched to 50 %'],
  ['video_p75_watched_actions:j', 'Video watched to 75 %'],
  ['video_p100_watched_actions:j', 'Video watched to the end'],
  ['quality_ranking:s', 'Quality ranking'],
].map(([text = '', label = '']) => ({ ...(parseFields(text)[0] as Field), label }))

export const BREAKDOWNS: readonly (readonly [string, string])[] = [
  ['age', 'Age'],
  ['gender', 'Gender'],
  ['country', 'Country'],
  ['region', 'Region'],
  ['publisher_platform', 'Platform'],
  ['platform_position', 'Placement'],
  ['impression_device', 'Device of the impression'],
  ['device_platform', 'Kind of device'],
]

export const WINDOWS = ['1d_click', '7d_click', '28d_click', '1d_view'] as const

export function getInsightFields(level: Level, breakdowns: readonly string[], metrics: readonly string[]): Field[] {
  const text = (name: string, isNullable: boolean): Field => ({ name, type: 'text', isNullable })
  const keys = getInsightsKey(level, breakdowns)
  return [
    ...LEVEL_FIELDS[level].map((name) => text(name, !keys.includes(name))),
    { name: 'date_start', type: 'date', isNullable: false },
    { name: 'date_stop', type: 'date', isNullable: false },
    ...breakdowns.map((name) => text(name, false)),
    ...METRICS.filter(({ name }) => metrics.includes(name)).map(({ name, type, isNullable }) => ({
      name,
      type,
      isNullable,
    })),
  ]
}

export function getInsightsKey(level: Level, breakdowns: readonly string[]): string[] {
  const own = level === 'account' ? [] : [`${level}_id`]
  return ['account_id', ...own, 'date_start', ...breakdowns]
}
