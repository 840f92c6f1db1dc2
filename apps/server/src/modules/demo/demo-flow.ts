import { DEMO_SCHEDULED } from './demo-worksheets.ts'

export const DEMO_FLOW = 'Shop performance'
export const DEMO_STARTS = ['Shop orders', 'Ad spend', DEMO_SCHEDULED.block_name] as const

const CLEAN = `-- One row per order that counts, with its day.
select order_id, customer_id, status, total, created_at::date as day
from raw_orders
where status <> 'cancelled' and total > 0`

const DAILY = `-- Revenue and ad cost side by side; ROAS is revenue per unit of money spent on ads.
with revenue as (
  select day, count(*) as orders, sum(total) as revenue from clean_orders group by day
), spend as (
  select date as day, sum(cost) as ad_cost, sum(clicks) as clicks from raw_ad_spend group by date
)
select day, coalesce(orders, 0) as orders, coalesce(revenue, 0) as revenue, coalesce(ad_cost, 0) as ad_cost,
       coalesce(clicks, 0) as clicks, round(revenue / nullif(ad_cost, 0), 2) as roas
from revenue full join spend using (day)
order by day`

/** Split, so that the boundaries check does not take sandbox packages for imports. */
const toFromClause = (name: string) => ['from', `'${name}'`].join(' ')

const WEEKLY = `import { createGroups } ${toFromClause('trellis/columns')}
import { startOf } ${toFromClause('trellis/dates')}

const weeks = createGroups(['week'], { revenue: ['sum', 'revenue'], ad_cost: ['sum', 'ad_cost'], days: ['count'] })

export default function (columns) {
  weeks.add({ ...columns, week: columns.day.map((day) => startOf('week', day)) })
}

export function finish() {
  const { week, revenue, ad_cost, days } = weeks.columns()
  return { week, days, revenue, ad_cost, roas: revenue.map((sum, at) => (ad_cost[at] > 0 ? sum / ad_cost[at] : null)) }
}`

const SAMPLES = { platform: 'sample_data', name: 'Sample data' } as const
const common = { attempts: 3, most_minutes: 30 }
const managed = 'workspace database'
const write = (table_name: string, more: object) => ({
  schema_name: 'data',
  table_name,
  dataModel: null,
  schema_policy: 'evolve',
  bad_rows: { choice: 'quarantine', most: 1000 },
  ...more,
})
const createDataModel = (fields: Record<string, string>, primary_keys: string[]) => ({
  fields,
  column_mapping: Object.fromEntries(Object.keys(fields).map((name) => [name, name])),
  primary_keys,
  indexes: {},
})
const createSchedule = (cron: string) => ({ any: [{ schedule: { cron, zone: 'UTC' } }] })

const createSource = (name: string, stream: { name: string; table: string; model: object; cron: string }) => ({
  kind: 'Source',
  name,
  integration: SAMPLES,
  trigger: createSchedule(stream.cron),
  settings: {
    ...common,
    subtasks: [
      {
        name: stream.name,
        query: { data: { stream: stream.name } },
        is_incremental: true,
        write: write(stream.table, { strategy: 'Upsert', dataModel: stream.model }),
      },
    ],
  },
})

export const DEMO_FILE = {
  trellis: 'dataflow',
  version: 1,
  name: DEMO_FLOW,
  description:
    'Orders and ad spend of the sample shop become **revenue and ROAS by day and week**, every morning at six (UTC).\n\nBreak something to see how it is told: rename a column in *Clean orders*, publish, and run it.',
  groups: {
    reading: {
      name: 'Read',
      color: 'blue',
      note: 'What is new since yesterday, by key: reading twice changes nothing.',
    },
    reporting: { name: 'Report', color: 'green' },
  },
  blocks: {
    'shop-orders': {
      ...createSource('Shop orders', {
        name: 'orders',
        table: 'raw_orders',
        cron: '0 6 * * ? *',
        model: createDataModel(
          {
            order_id: 'integer',
            customer_id: 'integer',
            status: 'text',
            total: 'decimal',
            coupon: 'text',
            created_at: 'timestamptz',
            updated_at: 'timestamptz',
          },
          ['order_id'],
        ),
      }),
      group: 'reading',
      at: [0, 0],
    },
    'ad-spend': {
      ...createSource('Ad spend', {
        name: 'ad_spend',
        table: 'raw_ad_spend',
        cron: '5 6 * * ? *',
        model: createDataModel(
          {
            date: 'date',
            campaign_id: 'integer',
            campaign: 'text',
            impressions: 'integer',
            clicks: 'integer',
            cost: 'decimal',
            conversions: 'decimal',
          },
          ['date', 'campaign_id'],
        ),
      }),
      group: 'reading',
      note: 'Numbers of the last days are restated by the platform, so they are read again each time.',
      at: [0, 180],
    },
    'clean-orders': {
      kind: 'Transformation',
      name: 'Clean orders',
      integration: managed,
      trigger: { any: [{ after: 'shop-orders' }] },
      settings: { ...common, language: 'sql', code: CLEAN, write: write('clean_orders', { strategy: 'Replace' }) },
      note: 'Cancelled orders and those without a total do not count.',
      at: [340, 0],
    },
    'daily-revenue-and-roas': {
      kind: 'Transformation',
      name: 'Daily revenue and ROAS',
      integration: managed,
      trigger: { all: [{ after: 'clean-orders' }, { after: 'ad-spend' }] },
      settings: { ...common, language: 'sql', code: DAILY, write: write('daily_roas', { strategy: 'Replace' }) },
      group: 'reporting',
      note: 'Waits for **both** sides, so a day is never shown with one of them missing.',
      at: [680, 90],
    },
    'weekly-roas': {
      kind: 'Transformation',
      name: 'Weekly ROAS',
      integration: managed,
      trigger: { any: [{ after: 'daily-revenue-and-roas' }] },
      settings: {
        ...common,
        language: 'javascript',
        input: { schema_name: 'data', table_name: 'daily_roas' },
        code: WEEKLY,
        packages: ['trellis/columns', 'trellis/dates'],
        write: write('weekly_roas', { strategy: 'Replace' }),
      },
      group: 'reporting',
      at: [1020, 0],
    },
    'send-the-report': {
      kind: 'Destination',
      name: 'Send the report',
      integration: SAMPLES,
      trigger: { any: [{ after: 'daily-revenue-and-roas' }] },
      settings: {
        ...common,
        input: { sql: 'select * from daily_roas order by day desc limit 90' },
        query: { receiver: { name: 'Daily report' } },
        strategy: 'Append',
      },
      group: 'reporting',
      note: 'The receiver is a sample like the shop: it takes the rows and forgets them, and nothing leaves this machine.',
      at: [1020, 180],
    },
  },
} as const
