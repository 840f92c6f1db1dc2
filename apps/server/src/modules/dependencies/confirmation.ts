import { createHash } from 'node:crypto'
import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'

/** A hash independent of the order. Dependents with effect `kept` are ignored. */
export function toConfirmation(items: readonly Dependent[], contents: readonly string[]): string {
  const lines = items
    .filter(({ effect }) => effect !== 'kept')
    .map(({ kind, schema_name, name }) => JSON.stringify([kind, schema_name, name]))
  const all = [...lines, ...contents].toSorted().join('\n')
  return createHash('sha256').update(all).digest('hex').slice(0, 32)
}
