import type { EncodingFound } from '../detect/encoding.ts'
import type { CopyFormat } from '../read/csv-blocks.ts'
import type { FileDialect } from '../read/dialect.ts'
import type { Packing } from '../read/unpack.ts'
import type { ColumnProfile } from './column-profile.ts'

/** Another way to read a file that is nearly as likely. */
export interface SecondReading {
  readonly label: string
  readonly dialect: Partial<FileDialect>
}

/** What reading a whole file found. */
export interface FileProfile {
  readonly dialect: FileDialect
  readonly packing: Packing
  readonly columns: readonly ColumnProfile[]
  readonly rows: number
  readonly sample: readonly (readonly (string | null)[])[]
  readonly sheets: readonly string[]
  readonly warnings: readonly string[]
  /** Why the file is read as it is. Profiles of before lack it. */
  readonly reasons?: readonly string[]
  readonly second_readings?: readonly SecondReading[]
  readonly eol: CopyFormat['eol']
  /** The encoding was found from the whole file, not from its beginning. */
  readonly is_encoding_sure?: boolean
  /** A word for nothing, other than the empty one, stands somewhere. */
  readonly has_tokens: boolean
}

export interface ProfileOptions {
  readonly given?: Partial<FileDialect>
  readonly fileName?: string
  /** A large CSV file is judged by its beginning. */
  readonly isHeadOnly?: boolean
  /** How much of the file its beginning is. */
  readonly headBytes?: number
  /** Rows of formats other than CSV are read up to about here. */
  readonly maxRows?: number
  readonly onProgress?: (bytes: number, rows: number) => void
  readonly signal?: AbortSignal
}

export const HEAD_BYTES = 256 * 1024

export interface InspectedFile extends ProfileOptions {
  readonly given: Partial<FileDialect>
  readonly packing: Packing
  readonly head: Buffer
  readonly encodingFound?: EncodingFound
}

/** Counts bytes as they are read, and stops when told. */
export async function* watched(bytes: AsyncIterable<Uint8Array>, options: ProfileOptions, rows: () => number) {
  let done = 0
  for await (const chunk of bytes) {
    options.signal?.throwIfAborted()
    yield chunk
    done += chunk.length
    options.onProgress?.(done, rows())
  }
}
