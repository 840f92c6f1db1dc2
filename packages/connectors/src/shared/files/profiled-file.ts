import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { Forecast } from '@trellis/table-files/profile/forecast-csv'
import type { ByteSource } from '@trellis/table-files/read/byte-source'

export interface RemoteFile {
  readonly name: string
  readonly version: string
  /** The server tells no version: `version` only says when it was asked. */
  readonly isUnversioned?: boolean
  /** As far as it is known without opening the file. */
  readonly size?: number | undefined
  open(): Promise<ByteSource>
}

export interface ProfiledFile {
  readonly file: RemoteFile
  /** Only for a file that is read alone; all sources together could fill the memory. */
  readonly source: ByteSource | undefined
  readonly profile: FileProfile
  readonly forecast?: Forecast | undefined
  readonly names: readonly string[]
}
