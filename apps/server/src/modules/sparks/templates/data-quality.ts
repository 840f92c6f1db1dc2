import { type Template, literal, name, title } from './template.ts'

const MAX_COLUMNS = 20

export const dataQuality: Template = {
  template: 'data_quality',
  name: 'Data quality',
  description: 'Missing values by column, and rows whose key appears more than once.',
  fields: [
    {
      key: 'columns',
      label: 'Columns',
      hint: 'The first ones when none is chosen',
      kinds: ['any'],
      is_required: false,
      is_list: true,
    },
    {
      key: 'key',
      label: 'Key',
      hint: 'Together they should appear once',
      kinds: ['any'],
      is_required: false,
      is_list: true,
    },
  ],
  build: ({ from, columns, table }) => {
    const chosen = columns('columns')
    const checked = (chosen.length > 0 ? chosen : table.columns).slice(0, MAX_COLUMNS)
    const keys = columns('key').length > 0 ? columns('key').map((key) => key.name) : table.primaryKey
    const quoted = keys.flatMap((key) => table.columns.filter((column) => column.name === key)).map((key) => name(key))
    const checks = checked.map(
      (column) =>
        `select ${literal(`${column.name} is not empty`)}::text as "check", count(*) filter (where ${name(column)} is null) as failed, count(*) as total from ${from}`,
    )
    if (quoted.length > 0) {
      const list = quoted.join(', ')
      checks.push(
        `select ${literal(`${keys.join(', ')} ${keys.length > 1 ? 'are' : 'is'} unique`)}::text, coalesce(sum(n) filter (where n > 1), 0)::bigint, coalesce(sum(n), 0)::bigint from (select count(*) as n from ${from} group by ${list}) k`,
      )
    }
    const source = 'checks'
    return {
      sources: [{ key: source, name: `Checks of ${title(table.name)}`, sql: checks.join('\nunion all\n') }],
      blocks: [
        {
          kind: 'checks',
          width: 'full',
          source,
          title: '',
          name_column: 'check',
          failed_column: 'failed',
          total_column: 'total',
        },
      ],
    }
  },
}
