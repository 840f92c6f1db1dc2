import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { TruncateChoice } from '@trellis/connector-kit/change-log'
import type { Forma, FormaElement, FormaValues } from '@trellis/contract/formas/forma'
import { TablePick } from '@trellis/contract/formas/forma-rules'
import * as z from 'zod/mini'

export type DatabaseQuery = {
  readonly columns: readonly string[]
  readonly filter: string | null
  readonly cursor: string | null
  readonly start: string | null
} & (
  | {
      readonly kind: 'table'
      readonly schema: string
      readonly table: string
      /** Change data capture. */
      readonly hasChanges: boolean
      /** Soft deletes. */
      readonly marksDeletes: boolean
      readonly truncates: TruncateChoice
    }
  | { readonly kind: 'sql'; readonly sql: string; readonly timeoutMs: number }
)

const TABLE = { section: 'query', element: 'kind', values: ['table', 'changes'] }
const NO_CHANGES = { section: 'query', element: 'kind', values: ['table', 'sql'] }
const SQL = { section: 'query', element: 'kind', values: ['sql'] }
const DEFAULT_MINUTES = 60
export const CONTINUOUS_ELEMENT = 'is_continuous'
const CHANGES_HINT = 'Needs wal_level = logical, a user with REPLICATION and a table with a primary key.'

const continuousElement: FormaElement = {
  reference: CONTINUOUS_ELEMENT,
  order: 9,
  type: 'boolean',
  data_type: 'bool',
  is_optional: true,
  default: false,
  label: 'Stay and apply changes as they come',
  help: 'A run then lasts until it is cancelled, the block is published again, or shortly before its time limit, and changes are here within a second. Schedule the block, so that the next run begins when one has ended.',
  shown_when: { section: 'query', element: 'kind', values: ['changes'] },
  properties: {},
}

export const DELETED_AT = 'source_deleted_at'

const deletesElement: FormaElement = {
  reference: 'deletes',
  order: 10,
  type: 'select',
  data_type: 'str',
  is_optional: true,
  default: 'delete',
  label: 'When a row is deleted in the source',
  help: `A soft delete keeps the row as it was, with the time of the delete in the column ${DELETED_AT}, which is empty for all other rows. With another choice the next run reads the whole table again.`,
  shown_when: { section: 'query', element: 'kind', values: ['changes'] },
  properties: {
    options: [
      { value: 'delete', label: 'Delete it here (hard delete)' },
      { value: 'mark', label: 'Keep it and mark when it was deleted (soft delete)' },
    ],
  },
}

const truncatesElement: FormaElement = {
  reference: 'truncates',
  order: 11,
  type: 'select',
  data_type: 'str',
  is_optional: true,
  default: 'write_mode',
  label: 'When the source table is truncated',
  help: 'A TRUNCATE names no rows: with Upsert it is not known which rows of the table came from the source. Deleting all rows also deletes those that others have put there; with soft deletes they are marked instead.',
  shown_when: { section: 'query', element: 'kind', values: ['changes'] },
  properties: {
    options: [
      { value: 'write_mode', label: 'By write mode: Replace deletes all rows, Upsert keeps them' },
      { value: 'delete_all', label: 'Delete all rows of the table' },
      { value: 'keep', label: 'Keep all rows of the table' },
    ],
  },
}

export function buildDatabaseQueryForma(
  code: string,
  { sqlHint, hasChangeLog = false }: { sqlHint: string; hasChangeLog?: boolean },
): Forma {
  const text = { type: 'text', data_type: 'str', is_optional: true } as const
  const elements: FormaElement[] = [
    {
      reference: 'kind',
      order: 1,
      type: 'select',
      data_type: 'str',
      label: 'What to read',
      default: 'table',
      properties: {
        options: [
          { value: 'table', label: 'A table or view' },
          { value: 'sql', label: 'The result of an SQL query' },
          ...(hasChangeLog
            ? [{ value: 'changes', label: 'Changes of a table from the log (CDC)', hint: CHANGES_HINT }]
            : []),
        ],
      },
    },
    {
      reference: 'table',
      order: 2,
      type: 'table_picker',
      data_type: 'str',
      label: 'Table',
      shown_when: TABLE,
      properties: { picks: 'table' },
    },
    {
      reference: 'sql',
      order: 3,
      type: 'query_editor',
      data_type: 'str',
      label: 'SQL',
      help: 'One SELECT. It runs in a read-only transaction: the database refuses to change its tables in it.',
      shown_when: SQL,
      properties: { language: 'sql', placeholder: sqlHint },
    },
    {
      ...text,
      reference: 'columns',
      order: 4,
      label: 'Columns',
      help: 'Names with commas between them; all columns when empty. The primary key is always read.',
      shown_when: TABLE,
      properties: { placeholder: 'id, name, updated_at' },
    },
    {
      ...text,
      reference: 'filter',
      order: 5,
      label: 'Only rows where',
      shown_when: NO_CHANGES,
      help: 'A condition as it stands behind WHERE.',
      properties: { placeholder: "country = 'DE' and amount > 0", is_multiline: true },
    },
    {
      ...text,
      reference: 'cursor',
      order: 6,
      label: 'Cursor column',
      shown_when: NO_CHANGES,
      help: 'A column that only grows, such as updated_at or id: later runs then read only what is new or changed.',
      properties: { placeholder: 'updated_at' },
    },
    {
      ...text,
      reference: 'start',
      order: 7,
      label: 'Begin at',
      shown_when: NO_CHANGES,
      help: 'The smallest value of the cursor column that is read.',
      properties: { placeholder: '2026-01-01' },
    },
    {
      reference: 'timeout_minutes',
      order: 8,
      type: 'number',
      data_type: 'int',
      is_optional: true,
      label: 'Time limit',
      default: DEFAULT_MINUTES,
      shown_when: SQL,
      properties: { min: 1, max: 1440, is_integer: true, unit: 'minutes' },
    },
    ...(hasChangeLog ? [continuousElement, deletesElement, truncatesElement] : []),
  ]
  return {
    forma_trellis_code: `${code}_query`,
    title: 'What to read',
    sections: [{ reference: 'query', order: 1, title: 'Query', is_required: true, elements }],
  }
}

const Text = z.optional(z.nullable(z.string()))
const Values = z.object({
  kind: z.optional(z.string()),
  table: z.optional(z.unknown()),
  sql: Text,
  columns: Text,
  filter: Text,
  cursor: Text,
  start: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  timeout_minutes: z.optional(z.nullable(z.number())),
  deletes: Text,
  truncates: Text,
})

const toTruncateChoice = (given: string | null | undefined): TruncateChoice =>
  given === 'delete_all' || given === 'keep' ? given : 'write_mode'

export function readDatabaseQuery(values: FormaValues): DatabaseQuery {
  const given = z.safeParse(Values, values['query'] ?? {})
  if (!given.success) throw incompleteQueryError('The query is not complete.', 'kind')
  const { kind = 'table', table, sql, columns, filter, cursor, start, timeout_minutes, deletes, truncates } = given.data
  const rest = {
    columns: (columns ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
    filter: filter?.trim() || null,
    cursor: cursor?.trim() || null,
    start: String(start ?? '').trim() || null,
  }
  if (kind === 'sql') {
    const text = (sql ?? '').trim().replace(/;\s*$/, '')
    if (text === '') throw incompleteQueryError('There is no SQL.', 'sql')
    return { ...rest, kind: 'sql', columns: [], sql: text, timeoutMs: (timeout_minutes ?? DEFAULT_MINUTES) * 60_000 }
  }
  const pick = z.safeParse(TablePick, table)
  if (!pick.success || !pick.data.table) throw incompleteQueryError('No table was chosen.', 'table')
  const picked = { schema: pick.data.schema, table: pick.data.table }
  if (kind === 'changes')
    return {
      kind: 'table',
      ...picked,
      columns: rest.columns,
      filter: null,
      cursor: null,
      start: null,
      hasChanges: true,
      marksDeletes: deletes === 'mark',
      truncates: toTruncateChoice(truncates),
    }
  return { ...rest, kind: 'table', ...picked, hasChanges: false, marksDeletes: false, truncates: 'write_mode' }
}

export const createTableQuery =
  (defaultSchema: string) =>
  (subtask: string): FormaValues => {
    const at = subtask.indexOf('.')
    const pick = { schema: at < 0 ? defaultSchema : subtask.slice(0, at), table: subtask.slice(at + 1) }
    return { query: { kind: 'table', table: pick } }
  }

const incompleteQueryError = (message: string, element: string) =>
  new ConnectorError('configuration', message, { field: `query.${element}`, advice: 'Fill in the query.' })
