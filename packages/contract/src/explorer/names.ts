import * as z from 'zod/mini'
import { visibleName } from '../core/visible-text.ts'

/** Postgres keeps 63 bytes of a name and drops the rest without a word, so two long names could become one. */
const NAME_BYTES = 63

const RESERVED = /^(?:pg_|trellis|information_schema$)/i

export const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** A name someone gives to a schema, a table or a column. */
const newName = (label: string) =>
  z.string({ error: 'Field required' }).check(
    z.trim(),
    z.normalize('NFC'),
    z.minLength(1, { error: 'Field required', abort: true }),
    z.refine((name) => byteLength(name) <= NAME_BYTES, {
      error: `${label} must be at most ${NAME_BYTES} bytes long`,
      abort: true,
    }),
    visibleName,
  )
const unreserved = (name: string) => !RESERVED.test(name)

export const NewSchemaName = newName('Schema name').check(
  z.refine(unreserved, { error: 'This name is used by the database itself. Choose another one.' }),
)
export const NewTableName = newName('Table name')
export const NewColumnName = newName('Column name').check(
  z.refine((name) => !/^(?:tableoid|xmin|cmin|xmax|cmax|ctid)$/.test(name), {
    error: 'This name is used by the database itself. Choose another one.',
  }),
)

/** A name that is looked up: whatever it holds, it either is in the catalogue or it is not. */
export const ObjectName = z.string().check(z.minLength(1), z.maxLength(255))
