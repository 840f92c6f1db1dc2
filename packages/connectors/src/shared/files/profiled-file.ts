import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { Forecast } from '@trellis/table-files/profile/forecast-csv'
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
  /** The profile is that of the beginning. */
  readonly forecast?: Forecast | undefined
  readonly names: readonly string[]
}
