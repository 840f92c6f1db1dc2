export type ColumnKind =
  | { readonly kind: 'text' | 'boolean' | 'int32' | 'int64' | 'float32' | 'float64' }
  | { readonly kind: 'date' | 'time' | 'timestamp' | 'timestamptz' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }

export interface FileColumn {
  readonly name: string
  readonly type: ColumnKind
}

export type FileRow = readonly (string | null)[]

export interface TableStream {
  readonly columns: readonly FileColumn[]
  readonly batches: AsyncIterable<readonly FileRow[]>
}

/** Rows that the format cannot represent; the message is for the user. */
export class FormatLimit extends Error {
  override readonly name = 'FormatLimit'
}

export function toColumnKind(baseType: string, fullType: string): ColumnKind {
  const [, digits, scale] = /^numeric\((\d+),(\d+)\)$/.exec(fullType) ?? []
  if (digits !== undefined && scale !== undefined) {
    const precision = Math.max(Number(digits), Number(scale))
    return precision > 38 ? { kind: 'text' } : { kind: 'decimal', precision, scale: Number(scale) }
  }
  return { kind: KINDS[baseType] ?? 'text' }
}

const KINDS: Record<string, Exclude<ColumnKind['kind'], 'decimal'>> = {
  boolean: 'boolean',
  smallint: 'int32',
  integer: 'int32',
  bigint: 'int64',
  real: 'float32',
  'double precision': 'float64',
  date: 'date',
  'time without time zone': 'time',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
}
