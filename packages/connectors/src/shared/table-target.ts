import { createHash } from 'node:crypto'
import type { WriteRequest } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { TablePick } from '@trellis/contract/formas/forma-rules'
import * as z from 'zod/mini'

export interface TableTarget {
  readonly schema: string
  readonly table: string
}

export const buildTableTargetForma = (code: string, { schemaLabel }: { schemaLabel: string }): Forma => ({
  forma_trellis_code: `${code}_target`,
  title: 'Where to write',
  sections: [
    {
      reference: 'target',
      order: 1,
      title: 'Target',
      is_required: true,
      elements: [
        {
          reference: 'schema',
          order: 1,
          type: 'table_picker',
          data_type: 'str',
          label: schemaLabel,
          properties: { picks: 'schema' },
        },
        {
          reference: 'table',
          order: 2,
          type: 'text',
          data_type: 'str',
          label: 'Table',
          help: 'Made when it is not there. Columns that are missing are added, none is ever dropped.',
          properties: { max_length: 63, placeholder: 'orders' },
        },
      ],
    },
  ],
})

export function readTableTarget(values: FormaValues): TableTarget {
  const { schema, table } = values['target'] ?? {}
  const pick = z.safeParse(TablePick, schema)
  const name = z.safeParse(z.string().check(z.trim(), z.minLength(1), z.maxLength(63)), table)
  if (pick.success && name.success) return { schema: pick.data.schema, table: name.data }
  throw new ConnectorError('configuration', 'It is not said which table to write.', {
    field: pick.success ? 'target.table' : 'target.schema',
    advice: 'Choose where the rows go.',
  })
}

export const RECEIPTS_TABLE = 'trellis_receipts'
export const RECEIPT_DAYS = 60

/** The same for every attempt of a load, so that a retry finds the rows already staged. */
export function stagingTableName({ table }: TableTarget, loadId: string): string {
  return `trellis_load_${createHash('sha256').update(`${loadId}\0${table}`).digest('hex').slice(0, 16)}`
}

export function assertUpsertKey({ strategy, key, fields }: WriteRequest): void {
  if (strategy !== 'Upsert') return
  const missing = key.find((name) => !fields.some((field) => field.name === name))
  if (key.length > 0 && missing === undefined) return
  throw new ConnectorError(
    'configuration',
    missing === undefined
      ? 'Upsert needs to know by which columns rows are told apart.'
      : `The key column ${missing} is not among the columns that are written.`,
    { advice: 'Choose the key in the data model, or choose Append or Replace.' },
  )
}
