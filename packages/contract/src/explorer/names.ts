import * as z from 'zod/mini'
import { visibleName } from '../core/visible-text.ts'

/** Postgres silently truncates identifiers at 63 bytes, so two long names could become one. */
const NAME_BYTES = 63

const RESERVED = /^(?:pg_|trellis|information_schema$)/i

export const byteLength = (text: string): number => new TextEncoder().encode(text).length

const createNameSchema = (label: string) =>
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
const isUnreserved = (name: string) => !RESERVED.test(name)

export const NewSchemaName = createNameSchema('Schema name').check(
  z.refine(isUnreserved, { error: 'This name is used by the database itself. Choose another one.' }),
)
export const NewTableName = createNameSchema('Table name')
export const NewColumnName = createNameSchema('Column name').check(
  z.refine((name) => !/^(?:tableoid|xmin|cmin|xmax|cmax|ctid)$/.test(name), {
    error: 'This name is used by the database itself. Choose another one.',
  }),
)

/** A name to look up: any text is allowed, it exists or it doesn't. */
export const ObjectName = z.string().check(z.minLength(1), z.maxLength(255))
