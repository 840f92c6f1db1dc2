import type { EncodingFound } from '../detect/encoding.ts'
import type { CopyFormat } from '../read/csv-blocks.ts'
import type { FileDialect } from '../read/dialect.ts'
import type { FilePacking } from '../read/unpack.ts'
import type { ColumnProfile } from './column-profile.ts'

export interface SecondReading {
  readonly label: string
  readonly dialect: Partial<FileDialect>
}

export interface FileProfile {
  readonly dialect: FileDialect
  readonly packing: FilePacking
  readonly columns: readonly ColumnProfile[]
  readonly rows: number
  readonly sample: readonly (readonly (string | null)[])[]
  readonly sheets: readonly string[]
  readonly warnings: readonly string[]
  /** Missing in older profiles. */
  readonly reasons?: readonly string[]
  readonly second_readings?: readonly SecondReading[]
  readonly eol: CopyFormat['eol']
  readonly is_encoding_sure?: boolean
  readonly has_tokens: boolean
}

export interface ProfileOptions {
  readonly given?: Partial<FileDialect>
  readonly fileName?: string
  readonly isHeadOnly?: boolean
  readonly headBytes?: number
  readonly maxRows?: number
  readonly onProgress?: (bytes: number, rows: number) => void
  readonly signal?: AbortSignal
}

export const HEAD_BYTES = 256 * 1024

export interface InspectedFile extends ProfileOptions {
  readonly given: Partial<FileDialect>
  readonly packing: FilePacking
  readonly head: Buffer
  readonly encodingFound?: EncodingFound
}

export async function* withProgress(bytes: AsyncIterable<Uint8Array>, options: ProfileOptions, rows: () => number) {
  let done = 0
  for await (const chunk of bytes) {
    options.signal?.throwIfAborted()
    yield chunk
    done += chunk.length
    options.onProgress?.(done, rows())
  }
}
