import { type Template, name, title } from './template.ts'

const MAX_STEPS = 20

export const funnel: Template = {
  template: 'funnel',
  name: 'Funnel',
  description: 'How many reach each step, the most frequent step first.',
  fields: [
    {
      key: 'step',
      label: 'Step',
      hint: 'Such as a status or an event',
      kinds: ['category'],
      is_required: true,
      is_list: false,
    },
    {
      key: 'entity',
      label: 'Counted once',
      hint: 'Such as a customer; rows are counted when nothing is chosen',
      kinds: ['any'],
      is_required: false,
      is_list: false,
    },
  ],
  build: ({ from, column, table }) => {
    const step = column('step')
    if (!step) throw new Error('A funnel needs its steps.')
    const entity = column('entity')
    const reached = entity ? `count(distinct ${name(entity)})` : 'count(*)'
    const sql = `select ${name(step)}::text as step, ${reached} as reached
from ${from}
where ${name(step)} is not null
group by 1
order by 2 desc, 1
limit ${MAX_STEPS}`
    const source = 'steps'
    return {
      sources: [{ key: source, name: `Steps of ${title(table.name)}`, sql }],
      blocks: [
        { kind: 'funnel', width: 'full', source, title: '', step_column: 'step', value_column: 'reached' },
        { kind: 'table', width: 'full', source, title: 'Rows', columns: [] },
      ],
    }
  },
}
