/** `undefined`: the log omits the column (unchanged TOAST). */
type ChangedValue = string | null | undefined

export type RowChange = { readonly committedAt: string } & (
  | {
      readonly kind: 'write'
      readonly values: readonly ChangedValue[]
      readonly isNew: boolean
      readonly oldKey: readonly string[] | null
    }
  | { readonly kind: 'delete'; readonly key: readonly string[] }
  | { readonly kind: 'truncate' }
)

export type NetChange =
  | {
      readonly kind: 'write'
      readonly values: readonly (string | null)[]
      /** Indexes of columns whose values are copied from the row with key `from`. */
      readonly kept: ReadonlySet<number> | null
      readonly from: readonly string[] | null
    }
  | {
      readonly kind: 'delete'
      readonly key: readonly string[]
      readonly committedAt: string
      /** The row's key changed; part of the write under the new key. */
      readonly isMoved?: true
    }

export interface NetChanges {
  readonly truncatedAt: string | null
  readonly rows: readonly NetChange[]
}

interface RowShape {
  readonly key: readonly number[]
  /** Index of the soft-delete column; null if rows are deleted. */
  readonly deletedAt: number | null
}

/** At most one net change per key, so that all can be applied at once. */
export function collapseChanges(changes: Iterable<RowChange>, { key, deletedAt }: RowShape): NetChanges {
  const byKey = new Map<string, NetChange>()
  let truncatedAt: string | null = null
  const recordDelete = (row: NetChange & { kind: 'delete' }) => {
    const earlierChange = byKey.get(toKeyId(row.key))
    // Soft-deleted even if it was inserted in the same batch: the result must not depend on how changes are batched.
    const isSoftDelete = deletedAt !== null && earlierChange?.kind === 'write'
    byKey.set(toKeyId(row.key), isSoftDelete ? markDeleted(earlierChange, deletedAt, row.committedAt) : row)
  }
  const recordTruncate = (committedAt: string) => {
    truncatedAt ??= committedAt
    if (deletedAt === null) byKey.clear()
    for (const [id, row] of byKey)
      if (deletedAt !== null && row.kind === 'write') byKey.set(id, markDeleted(row, deletedAt, committedAt))
  }
  for (const change of changes) {
    const { committedAt } = change
    if (change.kind === 'truncate') recordTruncate(committedAt)
    else if (change.kind === 'delete') recordDelete(change)
    else {
      const newKey = key.map((index) => change.values[index] ?? '')
      const originalKey = change.oldKey ?? newKey
      const earlierChange = byKey.get(toKeyId(originalKey))
      const values = deletedAt === null ? change.values : change.values.with(deletedAt, null)
      const isAbsent = change.isNew || (truncatedAt !== null && !earlierChange)
      const row = toNetChange({ ...change, values }, { earlierChange, isAbsent, originalKey })
      if (change.oldKey) recordDelete({ kind: 'delete', key: change.oldKey, committedAt, isMoved: true })
      byKey.set(toKeyId(newKey), row)
    }
  }
  return { truncatedAt, rows: [...byKey.values()] }
}

/** A row already soft-deleted keeps its time. */
const markDeleted = (row: NetChange & { kind: 'write' }, index: number, committedAt: string): NetChange => ({
  ...row,
  values: row.values.with(index, row.values[index] ?? committedAt),
})

const toKeyId = (key: readonly string[]): string => (key.length === 1 ? (key[0] ?? '') : JSON.stringify(key))

interface Origin {
  readonly earlierChange: NetChange | undefined
  readonly isAbsent: boolean
  readonly originalKey: readonly string[]
}

function toNetChange(
  change: RowChange & { kind: 'write' },
  { earlierChange, isAbsent, originalKey }: Origin,
): NetChange {
  const { values, oldKey } = change
  if (!values.includes(undefined)) return { kind: 'write', values: values as (string | null)[], kept: null, from: null }
  if (isAbsent || earlierChange?.kind === 'delete') {
    return { kind: 'write', values: values.map((value) => value ?? null), kept: null, from: null }
  }
  const kept = new Set<number>()
  const completeValues = values.map((value, index) => {
    if (value !== undefined) return value
    if (earlierChange && !earlierChange.kept?.has(index)) return earlierChange.values[index] ?? null
    kept.add(index)
    return null
  })
  if (kept.size === 0) return { kind: 'write', values: completeValues, kept: null, from: null }
  const isMoved = oldKey !== null
  return { kind: 'write', values: completeValues, kept, from: earlierChange?.from ?? (isMoved ? originalKey : null) }
}
