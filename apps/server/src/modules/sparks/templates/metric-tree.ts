import { type Template, literal, name, title } from './template.ts'

const MAX_PARTS = 12

export const metricTree: Template = {
  template: 'metric_tree',
  name: 'Metric tree',
  description: 'A total and what it is made of, by one or two categories.',
  fields: [
    {
      key: 'value',
      label: 'Value',
      hint: 'Added up; rows are counted when nothing is chosen',
      kinds: ['number'],
      is_required: false,
      is_list: false,
    },
    {
      key: 'category',
      label: 'First level',
      hint: 'What the total is split by',
      kinds: ['category'],
      is_required: true,
      is_list: false,
    },
    {
      key: 'subcategory',
      label: 'Second level',
      hint: 'What each part is split by',
      kinds: ['category'],
      is_required: false,
      is_list: false,
    },
  ],
  build: ({ from, column, table }) => {
    const category = column('category')
    if (!category) throw new Error('A metric tree needs a category.')
    const [value, second] = [column('value'), column('subcategory')]
    const total = value ? value.name : 'Rows'
    const sum = value ? `sum(${name(value)})` : 'count(*)'
    const first = `coalesce(${name(category)}::text, '(none)')`
    const levels = [
      `select ${literal(total)}::text as metric, null::text as parent, ${sum} as value from ${from}`,
      `(select ${literal(`${category.name}: `)} || ${first}, ${literal(total)}::text, ${sum} from ${from} group by ${first} order by 3 desc nulls last limit ${MAX_PARTS})`,
    ]
    if (second) {
      const inner = `coalesce(${name(second)}::text, '(none)')`
      const parent = `${literal(`${category.name}: `)} || ${first}`
      levels.push(
        `(select ${parent} || ${literal(' / ')} || ${inner}, ${parent}, ${sum} from ${from} group by ${first}, ${inner} order by 3 desc nulls last limit ${MAX_PARTS * MAX_PARTS})`,
      )
    }
    return {
      sources: [{ key: 'metrics', name: `Parts of ${title(table.name)}`, sql: levels.join('\nunion all\n') }],
      blocks: [
        {
          kind: 'metric_tree',
          width: 'full',
          source: 'metrics',
          title: '',
          name_column: 'metric',
          parent_column: 'parent',
          value_column: 'value',
          compare_column: null,
        },
      ],
    }
  },
}
