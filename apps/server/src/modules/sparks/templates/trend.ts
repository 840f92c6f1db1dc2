import { type Template, alias, day, lineChart, name, quote, title } from './template.ts'

const UNITS = `select * from (values ('day', 'Day'), ('week', 'Week'), ('month', 'Month')) u(unit, name)`

export const trend: Template = {
  template: 'trend',
  name: 'Trend',
  description: 'How values develop by day, week or month, one line for each group when a category is chosen.',
  fields: [
    { key: 'time', label: 'Time', hint: 'Along the axis', kinds: ['time'], is_required: true, is_list: false },
    {
      key: 'values',
      label: 'Values',
      hint: 'Added up; rows are counted when none is chosen',
      kinds: ['number'],
      is_required: false,
      is_list: true,
    },
    {
      key: 'category',
      label: 'Category',
      hint: 'One line for each of its values',
      kinds: ['category'],
      is_required: false,
      is_list: false,
    },
  ],
  build: ({ from, column, columns, table }) => {
    const time = column('time')
    if (!time) throw new Error('A trend needs its time.')
    const category = column('category')
    const values = columns('values')
    const unit = `case :unit when 'day' then 'day' when 'month' then 'month' else 'week' end`
    const taken = ['period', 'category', 'rows']
    const measures = values.map((value) => ({ sql: `sum(${name(value)})`, column: alias(value, taken) }))
    const shown = measures.length > 0 ? measures : [{ sql: 'count(*)', column: 'rows' }]
    const split = category ? [`${name(category)}::text as category`] : []
    const list = [...split, ...shown.map((item) => `${item.sql} as ${quote(item.column)}`)].join(', ')
    const groups = category ? '1, 2' : '1'
    const sql = `select date_trunc(${unit}, ${day(time)})::date as period, ${list}
from ${from}
where ${name(time)} is not null
group by ${groups}
order by ${groups}`
    const axes = { x: 'period', split_by: category ? 'category' : null }
    return {
      sources: [
        { key: 'trend', name: `${title(table.name)} over time`, sql },
        { key: 'units', name: 'Steps', sql: UNITS },
      ],
      parameters: [{ key: 'unit', label: 'By', type: 'text', initial: 'week', options_from: 'units' }],
      blocks: [
        { kind: 'filters', width: 'full', parameters: ['unit'] },
        ...shown.map((item) => ({
          kind: 'chart' as const,
          width: 'full' as const,
          source: 'trend',
          title: title(item.column),
          chart: lineChart({ column: item.column, label: title(item.column) }, axes),
        })),
        { kind: 'table', width: 'full', source: 'trend', title: 'Rows', columns: [] },
      ],
    }
  },
}
