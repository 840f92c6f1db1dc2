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

const addKeys = (keySum: KeySum | null, other: KeySum | null) =>
  keySum && other ? addKeySums(keySum, other) : (keySum ?? other)

export function addDone(chunkDone: ChunkDone, other: ChunkDone): ChunkDone {
  return {
    read: chunkDone.read + other.read,
    written: chunkDone.written + other.written,
    updated: chunkDone.updated + other.updated,
    merged: chunkDone.merged + other.merged,
    bad: chunkDone.bad.length === 0 ? other.bad : [...chunkDone.bad, ...other.bad],
    emptied: chunkDone.emptied + other.emptied,
    sourceKeys: addKeys(chunkDone.sourceKeys, other.sourceKeys),
    targetKeys: addKeys(chunkDone.targetKeys, other.targetKeys),
  }
}
