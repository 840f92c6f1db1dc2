import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { ByteSource } from '@trellis/table-files/read/byte-source'

/** A file somewhere, in the version it has now. */
export interface RemoteFile {
  /** An address or a key; the same file keeps it. */
  readonly name: string
  /** Another one when the file was changed. */
  readonly version: string
  open(): Promise<ByteSource>
}

export interface ProfiledFile {
  readonly file: RemoteFile
  /** Only of a file that is read alone: some are held in memory, and all of them together would fill it. */
  readonly source: ByteSource | undefined
  readonly profile: FileProfile
  readonly names: readonly string[]
}
