import type { Target } from '../target.ts'
import type { BadRow } from './bad-rows.ts'
import type { KeyReader } from './keys/key-reader.ts'
import type { KeySum } from './keys/key-sum.ts'
import type { Chunk, Edge } from './load.ts'

/** Where lines go: a table of the platform's own, or the table itself. */
export interface Place {
  readonly quoted: string
  /** The table itself, whose rules and triggers hold. */
  readonly target: Target | undefined
}

export interface Filling {
  readonly chunk: Chunk
  readonly place: Place
  /** Columns that tell rows apart and must have a value. */
  readonly required: readonly string[]
  readonly rowsBefore: number
  readonly badBefore: number
  /** Rows up to here may be in the table already. */
  readonly edge: Edge | null
  readonly reader: KeyReader | undefined
}

export interface Filled {
  readonly rows: number
  readonly bad: readonly BadRow[]
  /** Values that did not fit and were left out, their rows were not. */
  readonly emptied: number
  /** Rows that were in the table already. */
  readonly known: number
  /** Keys of the rows that were written, as the source gave them. */
  readonly keys: KeySum | null
}

/** The number that the rows carry in the table. */
export interface Marked {
  readonly mark: string | null
}

/** No COPY would come to its end with one. */
export const hasZero = (part: Uint8Array) => part.includes(0)
