import type { BadRow } from './bad-rows.ts'
import { type KeySum, addKeySums } from './keys/key-sum.ts'

export interface ChunkDone {
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

export const NOTHING_DONE: ChunkDone = {
  read: 0,
  written: 0,
  updated: 0,
  merged: 0,
  bad: [],
  emptied: 0,
  sourceKeys: null,
  targetKeys: null,
}

const addKeys = (one: KeySum | null, other: KeySum | null) => (one && other ? addKeySums(one, other) : (one ?? other))

export function addDone(one: ChunkDone, other: ChunkDone): ChunkDone {
  return {
    read: one.read + other.read,
    written: one.written + other.written,
    updated: one.updated + other.updated,
    merged: one.merged + other.merged,
    bad: one.bad.length === 0 ? other.bad : [...one.bad, ...other.bad],
    emptied: one.emptied + other.emptied,
    sourceKeys: addKeys(one.sourceKeys, other.sourceKeys),
    targetKeys: addKeys(one.targetKeys, other.targetKeys),
  }
}
