import type { BadRow } from './bad-rows.ts'
import { type KeySum, addKeySums } from './keys/key-sum.ts'

export interface ChunkCounts {
  readonly read: number
  readonly written: number
  readonly updated: number
  readonly merged: number
  readonly bad: readonly BadRow[]
  /** Misfits replaced by NULL. */
  readonly emptied: number
  /** Key hashes at source and target; null if not comparable. */
  readonly sourceKeys: KeySum | null
  readonly targetKeys: KeySum | null
}

export const NO_COUNTS: ChunkCounts = {
  read: 0,
  written: 0,
  updated: 0,
  merged: 0,
  bad: [],
  emptied: 0,
  sourceKeys: null,
  targetKeys: null,
}

const addKeys = (keySum: KeySum | null, other: KeySum | null) =>
  keySum && other ? addKeySums(keySum, other) : (keySum ?? other)

export function addCounts(counts: ChunkCounts, other: ChunkCounts): ChunkCounts {
  return {
    read: counts.read + other.read,
    written: counts.written + other.written,
    updated: counts.updated + other.updated,
    merged: counts.merged + other.merged,
    bad: counts.bad.length === 0 ? other.bad : [...counts.bad, ...other.bad],
    emptied: counts.emptied + other.emptied,
    sourceKeys: addKeys(counts.sourceKeys, other.sourceKeys),
    targetKeys: addKeys(counts.targetKeys, other.targetKeys),
  }
}
