import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { RestStream } from '@trellis/contract/integrations/rest-manifest'

/** Fields as `name: type` or `name: [type, path]`. */
export const toRestFields = (
  fields: Readonly<Record<string, ColumnType | readonly [ColumnType, string]>>,
): NonNullable<RestStream['fields']> =>
  Object.entries(fields).map(([name, field]) =>
    typeof field === 'string' ? { name, type: field } : { name, type: field[0], path: field[1] },
  )
