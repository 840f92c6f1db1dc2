import type { EncodingFound } from '../detect/encoding.ts'
import type { Candidate } from '../detect/separators.ts'
import type { TableStart } from '../detect/table-start.ts'
import type { FileFault } from '../read/byte-source.ts'
import type { FileDialect } from '../read/dialect.ts'
import type { InspectedFile } from './file-profile.ts'
import type { FileTally } from './tally-file.ts'

export interface CsvReading {
  readonly dialect: FileDialect
  readonly start: TableStart
  readonly candidate: Candidate
  readonly tallied: FileTally
  readonly ranked: readonly Candidate[]
  readonly second: { readonly candidate: Candidate } | undefined
  readonly failed: FileFault | undefined
  readonly known: InspectedFile
  readonly encoding: EncodingFound
  readonly isCut: boolean
}
