import type { ValueRule } from '../read/copy-rows.ts'
import { isMoment } from '../values/type-names.ts'
import type { ColumnProfile } from './column-profile.ts'
import type { FileProfile } from './file-profile.ts'

export function buildValueRule(source: number, kind: ValueRule['kind'], { columns, dialect }: FileProfile): ValueRule {
  const column = columns[source]
  return {
    source,
    kind,
    isCommaDecimal: column?.decimal_comma ?? dialect.decimal_comma,
    nullTokens: new Set(column?.null_tokens ?? dialect.null_tokens),
    isStrict: kind === 'moment' && hasMisfits(column),
  }
}

const hasMisfits = (column: ColumnProfile | undefined): boolean =>
  isMoment(column?.likely_type) && !column?.fitting_types.some(isMoment)
