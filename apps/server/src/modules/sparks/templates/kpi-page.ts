import type { SparkBlock } from '@trellis/contract/sparks/spark-content.schemas'
import { type Template, day, lineChart, name, title } from './template.ts'

const PERIOD_DAYS = 30

export const kpiPage: Template = {
  template: 'kpi_page',
  name: 'KPI page',
  description: 'Totals with their change against the 30 days before, and how they went by day.',
  fields: [
    {
      key: 'values',
      label: 'Values',
      hint: 'Added up; the number of rows is always shown',
      kinds: ['number'],
      is_required: true,
      is_list: true,
    },
    {
      key: 'time',
      label: 'Time',
      hint: 'For the comparison and the chart',
      kinds: ['time'],
      is_required: false,
      is_list: false,
    },
  ],
  build: ({ from, columns, column, table }) => {
    const time = column('time')
    const values = columns('values').map((value, at) => ({
      key: `value_${at + 1}`,
      label: title(value.name),
      sql: name(value),
    }))
    const tiles = [{ key: 'row_count', label: 'Rows' }, ...values].map(({ key, label }) =>
      buildTile(label, key, time ? `${key}_before` : null),
    )
    if (!time) {
      const sums = ['count(*) as row_count', ...values.map(({ key, sql }) => `sum(${sql}) as ${key}`)]
      const sql = `select ${sums.join(',\n       ')}\nfrom ${from}`
      return { sources: [{ key: 'totals', name: `Totals of ${title(table.name)}`, sql }], blocks: tiles }
    }
    const recent = `filter (where day > last_day - ${PERIOD_DAYS})`
    const before = `filter (where day <= last_day - ${PERIOD_DAYS})`
    const sums = values.flatMap(({ key }) => [
      `sum(${key}) ${recent} as ${key}`,
      `sum(${key}) ${before} as ${key}_before`,
    ])
    const read = values.map(({ key, sql }) => `, ${sql} as ${key}`).join('')
    const totals = `with days as (
  select ${day(time)} as day, max(${day(time)}) over () as last_day${read}
  from ${from}
)
select ${[`count(*) ${recent} as row_count`, `count(*) ${before} as row_count_before`, ...sums].join(',\n       ')}
from days
where day > last_day - ${2 * PERIOD_DAYS}`
    const byDay = `select ${[`${day(time)} as day`, ...values.map(({ key, sql }) => `sum(${sql}) as ${key}`)].join(', ')}
from ${from}
where ${name(time)} is not null
group by 1
order by 1`
    return {
      sources: [
        { key: 'totals', name: `${title(table.name)}: last ${PERIOD_DAYS} days`, sql: totals },
        { key: 'by_day', name: `${title(table.name)} by day`, sql: byDay },
      ],
      blocks: [
        ...tiles,
        ...values.map(({ key, label }): SparkBlock => ({
          kind: 'chart',
          width: values.length > 1 ? 'half' : 'full',
          source: 'by_day',
          title: label,
          chart: lineChart({ column: key, label }, { x: 'day', split_by: null }),
        })),
      ],
    }
  },
}

const buildTile = (label: string, column: string, compare_column: string | null): SparkBlock => ({
  kind: 'number',
  width: 'quarter',
  source: 'totals',
  title: label,
  column,
  compare_column,
  format: { style: 'compact', decimals: null, prefix: '', suffix: '' },
})
