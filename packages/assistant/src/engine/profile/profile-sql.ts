import { quoteIdentifier, quoteLiteral } from '../plan/quote.ts'
import { type Column, type Table, isDate, isNumeric, listDateColumns } from '../schema/model.ts'

const MAX_COLUMNS = 40
/** count(DISTINCT) sorts its values: larger tables use the planner's statistics. */
const MAX_COUNTED_ROWS = 1_000_000
const MAX_GROUPS = 10
const MAX_CATEGORIES = 50
const TOP_VALUES = 3

const toQualifiedName = ({ schema, name }: Table): string => `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`

const listProfiledColumns = ({ columns }: Table): readonly Column[] => columns.slice(0, MAX_COLUMNS)

/** One row per column of the table: empty, distinct, smallest and largest values. */
export function buildProfileSql(table: Table): string {
  const countsDistinct = (table.rows ?? 0) <= MAX_COUNTED_ROWS
  const columns = listProfiledColumns(table).map((column, index) => {
    const name = quoteIdentifier(column.name)
    const hasBounds = isNumeric(column) || isDate(column)
    return {
      aggregates: [
        `count(${name}) as n${index}`,
        ...(countsDistinct && column.kind !== 'other' ? [`count(distinct ${name}) as d${index}`] : []),
        ...(hasBounds ? [`min(${name})::text as l${index}`, `max(${name})::text as h${index}`] : []),
      ],
      row: [
        String(index + 1),
        quoteLiteral(column.name),
        quoteLiteral(column.kind),
        `p.total - p.n${index}`,
        countsDistinct && column.kind !== 'other' ? `p.d${index}` : 'null::bigint',
        hasBounds ? `p.l${index}` : 'null::text',
        hasBounds ? `p.h${index}` : 'null::text',
      ],
    }
  })
  return [
    'select c.column_name, c.type, p.total as rows, c.empty, c.distinct_values, c.smallest, c.largest',
    `from (select ${['count(*) as total', ...columns.flatMap(({ aggregates }) => aggregates)].join(', ')}`,
    `  from ${toQualifiedName(table)}) p`,
    'cross join lateral (values',
    columns.map(({ row }) => `  (${row.join(', ')})`).join(',\n'),
    ') c(place, column_name, type, empty, distinct_values, smallest, largest)',
    'order by c.place',
  ].join('\n')
}

/** For each profiled column its most common sample values, as one text. */
export const listFrequentValues = (table: Table): readonly string[] =>
  listProfiledColumns(table).map(({ values }) =>
    [...new Set(values.map((value) => value.trim()))].slice(0, TOP_VALUES).join(', '),
  )

/** Rows by month of the main date and rows by the first category. */
export function buildProfileCharts(table: Table): { title: string; sql: string }[] {
  const [date] = listDateColumns(table)
  const category = table.columns.find(
    ({ kind, isIdentifier, distinct }) =>
      kind === 'text' && !isIdentifier && distinct > 1 && distinct <= MAX_CATEGORIES,
  )
  return [
    ...(date
      ? [
          {
            title: `Rows by month of ${date.name}`,
            sql: `select date_trunc('month', ${quoteIdentifier(date.name)})::date as month, count(*) as rows\nfrom ${toQualifiedName(table)}\nwhere ${quoteIdentifier(date.name)} is not null\ngroup by 1\norder by 1`,
          },
        ]
      : []),
    ...(category
      ? [
          {
            title: `Rows by ${category.name}`,
            sql: `select ${quoteIdentifier(category.name)}, count(*) as rows\nfrom ${toQualifiedName(table)}\ngroup by 1\norder by 2 desc\nlimit ${MAX_GROUPS}`,
          },
        ]
      : []),
  ]
}
