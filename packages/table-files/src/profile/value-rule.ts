import type { ValueRule } from '../read/copy-rows.ts'
import type { FileProfile } from './file-profile.ts'

/** How a value of a file becomes one of a column of this kind. */
export function buildValueRule(source: number, kind: ValueRule['kind'], { columns, dialect }: FileProfile): ValueRule {
  const found = columns[source]
  return {
    source,
    kind,
    isCommaDecimal: found?.decimal_comma ?? dialect.decimal_comma,
    nullTokens: new Set(found?.null_tokens ?? dialect.null_tokens),
  }
}
