import * as z from 'zod/mini'

/** Path parameters shared by every account and workspace call. */
export const AccountCode = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/))
const WorkspaceAddress = z.string().check(z.regex(/^[a-z0-9]{1,50}$/))
export const AccountParams = z.object({ account_trellis_code: AccountCode })
export const WorkspaceParams = z.object({ account_trellis_code: AccountCode, workspace_address: WorkspaceAddress })

/** An instant on the wire: ISO 8601 in UTC. */
export const Instant = z.iso.datetime()

/** Answer of a call that has nothing to tell but that it was done. */
export const Done = z.object({ done: z.literal(true) })

/** A file to be sent: known by name and size, opened at the byte the caller asks for. */
export interface FileBody {
  readonly name: string
  readonly contentType: string
  /**
   * Null for one that is written while it is read: it can't be read in parts then, and the bytes of a chunk are valid
   * until the next one is asked for.
   */
  readonly size: number | null
  /** Same as long as the content is the same. */
  readonly tag: string
  open(range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array>>
}
export const FileAnswer = z.custom<FileBody>()
