import type { SparkParameter } from '@trellis/contract/sparks/spark-content.schemas'
import { type Template, name, title } from './template.ts'

const MAX_OPTIONS = 200
const MAX_ROWS = 500
const MAX_FILTERS = 6

export const filteredTable: Template = {
  template: 'filtered_table',
  name: 'Table with filters',
  description: 'Rows of a table with a filter for each chosen column.',
  fields: [
    {
      key: 'filters',
      label: 'Filters',
      hint: `Up to ${MAX_FILTERS} columns with few different values`,
      kinds: ['category'],
      is_required: true,
      is_list: true,
    },
    {
      key: 'columns',
      label: 'Columns',
      hint: 'All of them when none is chosen',
      kinds: ['any'],
      is_required: false,
      is_list: true,
    },
  ],
  build: ({ from, columns, table }) => {
    const filters = columns('filters').slice(0, MAX_FILTERS)
    const shownDescribedColumns = columns('columns')
    const keys = filters.map((_, at) => `filter_${at + 1}`)
    const where = filters.map((filter, at) => `(:${keys[at]} is null or ${name(filter)}::text = :${keys[at]})`)
    const list = shownDescribedColumns.length > 0 ? shownDescribedColumns.map((column) => name(column)).join(', ') : '*'
    return {
      sources: [
        {
          key: 'matching',
          name: title(table.name),
          sql: `select ${list}\nfrom ${from}\nwhere ${where.join('\n  and ')}\nlimit ${MAX_ROWS}`,
        },
        ...filters.map((filter, at) => ({
          key: `${keys[at]}_options`,
          name: `Values of ${title(filter.name)}`,
          sql: `select ${name(filter)}::text as value\nfrom ${from}\nwhere ${name(filter)} is not null\ngroup by 1\norder by count(*) desc, 1\nlimit ${MAX_OPTIONS}`,
        })),
      ],
      parameters: filters.map((filter, at): SparkParameter => ({
        key: keys[at] ?? '',
        label: title(filter.name),
        type: 'text',
        initial: null,
        options_from: `${keys[at]}_options`,
      })),
      blocks: [
        { kind: 'filters', width: 'full', parameters: [] },
        { kind: 'table', width: 'full', source: 'matching', title: '', columns: [] },
      ],
    }
  },
}
