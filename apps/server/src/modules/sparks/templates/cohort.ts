import { type Template, name, title } from './template.ts'

const MAX_MONTHS = 12

export const cohort: Template = {
  template: 'cohort',
  name: 'Cohorts',
  description: 'Of those who first appear in a month, how many come back in the months after it.',
  fields: [
    { key: 'entity', label: 'Who', hint: 'Such as a customer', kinds: ['any'], is_required: true, is_list: false },
    {
      key: 'time',
      label: 'When',
      hint: 'Such as the day of an order',
      kinds: ['time'],
      is_required: true,
      is_list: false,
    },
  ],
  build: ({ from, column, table }) => {
    const entity = column('entity')
    const time = column('time')
    if (!entity || !time) throw new Error('Cohorts need who and when.')
    const sql = `with active as (
  select distinct ${name(entity)} as entity, date_trunc('month', ${name(time)})::date as month
  from ${from}
  where ${name(entity)} is not null and ${name(time)} is not null
), firsts as (
  select entity, min(month) as cohort from active group by 1
), periods as (
  select f.cohort, f.entity,
         (extract(year from age(a.month, f.cohort)) * 12 + extract(month from age(a.month, f.cohort)))::int as period
  from firsts f
  join active a using (entity)
)
select cohort, period, count(*) as people
from periods
where period <= ${MAX_MONTHS}
group by 1, 2
order by 1, 2`
    return {
      sources: [{ key: 'cohorts', name: `Cohorts of ${title(table.name)}`, sql }],
      blocks: [
        {
          kind: 'cohort',
          width: 'full',
          source: 'cohorts',
          title: 'Share that came back, by month after the first',
          group_column: 'cohort',
          period_column: 'period',
          value_column: 'people',
        },
      ],
    }
  },
}
