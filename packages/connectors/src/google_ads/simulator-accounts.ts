import { hashToFraction, hashToInteger } from '../shared/hash-values.ts'
import type { CatalogueField } from './gaql/catalogue.ts'
import { toText } from '../shared/list-texts.ts'

export interface SimulatedAccount {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly isManager: boolean
  readonly level: number
}

export const ROOT = '1000000001'
export const ACCOUNTS: readonly SimulatedAccount[] = [
  { id: ROOT, name: 'All shops', currency: 'EUR', isManager: true, level: 0 },
  { id: '1000000002', name: 'Shops abroad', currency: 'EUR', isManager: true, level: 1 },
  { id: '2000000001', name: 'Shop north', currency: 'EUR', isManager: false, level: 1 },
  { id: '2000000002', name: 'Shop south', currency: 'EUR', isManager: false, level: 1 },
  { id: '2000000003', name: 'Shop overseas', currency: 'USD', isManager: false, level: 2 },
]

export interface SimulatedEntity {
  readonly account: SimulatedAccount
  readonly campaign: number
  readonly adGroup: number
  readonly number: number
}

const CAMPAIGNS = 4
const AD_GROUPS = 2
const IN_AD_GROUP: Readonly<Record<string, number>> = {
  ad_group: 1,
  ad_group_ad: 2,
  ad_group_criterion: 3,
  keyword_view: 3,
  display_keyword_view: 2,
  search_term_view: 4,
  click_view: 3,
  landing_page_view: 2,
  shopping_performance_view: 2,
  product_group_view: 2,
  age_range_view: 2,
  gender_view: 2,
  ad_group_asset: 2,
}

export function listEntities(resource: string, account: SimulatedAccount): SimulatedEntity[] {
  const count = (length: number) => Array.from({ length }, (_, index) => index + 1)
  if (resource === 'customer') return [{ account, campaign: 1, adGroup: 1, number: 1 }]
  const each = IN_AD_GROUP[resource]
  return count(CAMPAIGNS).flatMap((campaign) =>
    count(each === undefined ? 1 : AD_GROUPS).flatMap((adGroup) =>
      count(each ?? 1).map((number) => ({ account, campaign, adGroup, number })),
    ),
  )
}

const CAMPAIGN_NAMES = ['Brand', 'Shoes', 'Coats', 'Outlet']
const CHANNELS = ['SEARCH', 'SHOPPING', 'PERFORMANCE_MAX', 'DISPLAY']
const WORDS = ['winter coat', 'red shoes', 'rain jacket', 'leather boots', 'wool scarf', 'running shoes']
const campaignId = ({ account, campaign }: SimulatedEntity) => Number(account.id.slice(-3)) * 1000 + campaign
const adGroupId = (simulatedEntity: SimulatedEntity) => campaignId(simulatedEntity) * 100 + simulatedEntity.adGroup
const toEntityId = (simulatedEntity: SimulatedEntity) => adGroupId(simulatedEntity) * 10 + simulatedEntity.number

const toPlural = (resource: string) =>
  `${resource.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())}s`.replace(/ys$/, 'ies')

function resourceName(resource: string, simulatedEntity: SimulatedEntity): string {
  const base = `customers/${simulatedEntity.account.id}`
  if (resource === 'customer') return base
  if (resource === 'campaign') return `${base}/campaigns/${campaignId(simulatedEntity)}`
  if (resource === 'ad_group') return `${base}/adGroups/${adGroupId(simulatedEntity)}`
  return `${base}/${toPlural(resource)}/${adGroupId(simulatedEntity)}~${toEntityId(simulatedEntity)}`
}

type AttributeReader = (simulatedEntity: SimulatedEntity) => unknown
const KNOWN: Readonly<Record<string, AttributeReader>> = {
  'customer.id': ({ account }) => account.id,
  'customer.descriptive_name': ({ account }) => account.name,
  'customer.currency_code': ({ account }) => account.currency,
  'customer.time_zone': () => 'Europe/Berlin',
  'customer.manager': ({ account }) => account.isManager,
  'customer.status': () => 'ENABLED',
  'campaign.id': campaignId,
  'campaign.name': ({ campaign, account }) => `${CAMPAIGN_NAMES[campaign - 1]} ${account.name.slice(5)}`,
  'campaign.status': ({ campaign }) => (campaign === CAMPAIGNS ? 'PAUSED' : 'ENABLED'),
  'campaign.advertising_channel_type': ({ campaign }) => CHANNELS[campaign - 1],
  'campaign.start_date': ({ campaign }) => `2025-0${campaign}-01`,
  'ad_group.id': adGroupId,
  'ad_group.name': ({ adGroup }) => `Ad group ${adGroup}`,
  'ad_group.status': () => 'ENABLED',
  'ad_group_ad.status': () => 'ENABLED',
  'ad_group_criterion.status': () => 'ENABLED',
  'ad_group_criterion.keyword.text': (simulatedEntity) => WORDS[toEntityId(simulatedEntity) % WORDS.length],
  'search_term_view.search_term': (simulatedEntity) =>
    `${WORDS[toEntityId(simulatedEntity) % WORDS.length]} ${simulatedEntity.number}`,
  'click_view.gclid': (simulatedEntity) => `sim-${toEntityId(simulatedEntity)}`,
  'geographic_view.country_criterion_id': ({ campaign }) => (campaign % 2 === 0 ? 2276 : 2840),
}

/** Generates a value from the field's type; integers are strings, as Google writes them. */
export function getAttribute(field: CatalogueField, simulatedEntity: SimulatedEntity): unknown {
  const { name, type, isRepeated, values } = field
  const dot = name.indexOf('.')
  const own = resourceName(name.slice(0, dot), simulatedEntity)
  if (name.endsWith('.resource_name')) return own
  const known = KNOWN[name]?.(simulatedEntity)
  if (known !== undefined) return type === 'INT64' ? toText(known) : known
  if (isRepeated) return []
  switch (type) {
    case 'INT64':
      return name.endsWith('id')
        ? String(toEntityId(simulatedEntity))
        : String(hashToInteger(1, 9, name, own) * 100_000)
    case 'DOUBLE':
      return Math.round(hashToFraction(name, own) * 10_000) / 10_000
    case 'BOOLEAN':
      return hashToFraction(name, own) > 0.5
    case 'DATE':
      return name.endsWith('date_time') ? '2026-01-01 08:00:00' : '2025-01-01'
    case 'ENUM':
      return values[Math.floor(hashToFraction(name, own) * values.length)] ?? 'UNSPECIFIED'
    case 'RESOURCE_NAME':
      return resourceName(name.slice(name.lastIndexOf('.') + 1), simulatedEntity)
    case 'MESSAGE':
      return {}
    default:
      return `${name.slice(dot + 1).replaceAll(/[._]/g, ' ')} ${simulatedEntity.number}`
  }
}

export function listClients(root: string): Record<string, unknown>[] {
  const from = ACCOUNTS.find(({ id }) => id === root)
  const below =
    root === ROOT
      ? ACCOUNTS
      : ACCOUNTS.filter(({ id }) => id === root || (root === '1000000002' && id === '2000000003'))
  return below.map(({ id, name, currency, isManager, level }) => ({
    'customer_client.resource_name': `customers/${root}/customerClients/${id}`,
    'customer_client.client_customer': `customers/${id}`,
    'customer_client.id': id,
    'customer_client.descriptive_name': name,
    'customer_client.currency_code': currency,
    'customer_client.time_zone': 'Europe/Berlin',
    'customer_client.manager': isManager,
    'customer_client.hidden': false,
    'customer_client.test_account': false,
    'customer_client.applied_labels': [],
    'customer_client.level': String(level - (from?.level ?? 0)),
    'customer_client.status': 'ENABLED',
  }))
}
