import type { Target } from '../target.ts'
import type { BadRow } from './bad-rows.ts'
import type { KeyReader } from './keys/key-reader.ts'
import type { KeySum } from './keys/key-sum.ts'
import type { Chunk, ExistingRange } from './load.ts'

export interface ChunkTarget {
  readonly quoted: string
  /** Set for the target itself, whose constraints and triggers apply. */
  readonly target: Target | undefined
}

export interface ChunkWrite {
  readonly chunk: Chunk
  readonly destination: ChunkTarget
  readonly required: readonly string[]
  readonly rowsBefore: number
  readonly badBefore: number
  /** Rows up to here may exist already. */
  readonly edge: ExistingRange | null
  readonly reader: KeyReader | undefined
}

export interface ChunkResult {
  readonly rows: number
  readonly bad: readonly BadRow[]
  /** Misfits replaced by NULL. */
  readonly emptied: number
  readonly existingRows: number
  readonly keys: KeySum | null
}

export interface ChunkTransaction {
  readonly xid: string | null
}

/** COPY fails on zero bytes. */
export const hasZeroByte = (part: Uint8Array) => part.includes(0)
