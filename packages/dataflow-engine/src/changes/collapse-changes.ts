/** `undefined` where the log says nothing of the column. */
type ChangedValue = string | null | undefined

export type RowChange =
  | {
      readonly kind: 'write'
      readonly values: readonly ChangedValue[]
      readonly isNew: boolean
      readonly oldKey: readonly string[] | null
    }
  | { readonly kind: 'delete'; readonly key: readonly string[] }
  | { readonly kind: 'truncate' }

/** What a row is after all changes. */
export type NetChange =
  | {
      readonly kind: 'write'
      readonly values: readonly (string | null)[]
      /** Places of columns that keep what the table holds for `from`. */
      readonly kept: ReadonlySet<number> | null
      /** The key under which the table knows the row before these changes; null when it is the same. */
      readonly from: readonly string[] | null
    }
  | {
      readonly kind: 'delete'
      readonly key: readonly string[]
      /** The row has another key now: no change of its own, but a part of the one that gave it that key. */
      readonly isMoved?: true
    }

export interface NetChanges {
  /** All rows of the table go before the rest is applied. */
  readonly isTruncated: boolean
  /** At most one for each key. */
  readonly rows: readonly NetChange[]
}

/** Changes in the order of the log as one change per key, so that they can be applied all at once. `key`: places of its columns. */
export function collapseChanges(changes: Iterable<RowChange>, key: readonly number[]): NetChanges {
  const byKey = new Map<string, NetChange>()
  let isTruncated = false
  for (const change of changes) {
    if (change.kind === 'truncate') {
      byKey.clear()
      isTruncated = true
    } else if (change.kind === 'delete') {
      byKey.set(toId(change.key), change)
    } else {
      const own = key.map((place) => change.values[place] ?? '')
      const origin = change.oldKey ?? own
      const before = byKey.get(toId(origin))
      const row = toNet(change, { before, isAbsent: change.isNew || (isTruncated && !before), origin })
      if (change.oldKey) byKey.set(toId(change.oldKey), { kind: 'delete', key: change.oldKey, isMoved: true })
      byKey.set(toId(own), row)
    }
  }
  return { isTruncated, rows: [...byKey.values()] }
}

const toId = (key: readonly string[]): string => (key.length === 1 ? (key[0] ?? '') : JSON.stringify(key))

interface Origin {
  readonly before: NetChange | undefined
  /** There was no row before. */
  readonly isAbsent: boolean
  readonly origin: readonly string[]
}

function toNet(change: RowChange & { kind: 'write' }, { before, isAbsent, origin }: Origin): NetChange {
  const { values, oldKey } = change
  if (!values.includes(undefined)) return { kind: 'write', values: values as (string | null)[], kept: null, from: null }
  if (isAbsent || before?.kind === 'delete') {
    return { kind: 'write', values: values.map((value) => value ?? null), kept: null, from: null }
  }
  const kept = new Set<number>()
  const filled = values.map((value, place) => {
    if (value !== undefined) return value
    if (before && !before.kept?.has(place)) return before.values[place] ?? null
    kept.add(place)
    return null
  })
  if (kept.size === 0) return { kind: 'write', values: filled, kept: null, from: null }
  const isMoved = oldKey !== null
  return { kind: 'write', values: filled, kept, from: before?.from ?? (isMoved ? origin : null) }
}
