import type { ValueRule } from '../read/copy-rows.ts'
import { isMoment } from '../values/type-names.ts'
import type { ColumnProfile } from './column-profile.ts'
import type { FileProfile } from './file-profile.ts'

export function buildValueRule(source: number, kind: ValueRule['kind'], { columns, dialect }: FileProfile): ValueRule {
  const found = columns[source]
  return {
    source,
    kind,
    isCommaDecimal: found?.decimal_comma ?? dialect.decimal_comma,
    nullTokens: new Set(found?.null_tokens ?? dialect.null_tokens),
    isStrict: kind === 'moment' && hasMisfits(found),
  }
}

const hasMisfits = (column: ColumnProfile | undefined): boolean =>
  isMoment(column?.likely_type) && !column?.fitting_types.some(isMoment)
