import * as z from 'zod/mini'

export const AccountCode = z.string().check(z.regex(/^[a-z0-9-]{1,40}$/))
const WorkspaceAddress = z.string().check(z.regex(/^[a-z0-9]{1,50}$/))
export const AccountParams = z.object({ account_trellis_code: AccountCode })
export const WorkspaceParams = z.object({ account_trellis_code: AccountCode, workspace_address: WorkspaceAddress })

export const Instant = z.iso.datetime()

export const Done = z.object({ done: z.literal(true) })

export interface FileBody {
  readonly name: string
  readonly contentType: string
  /** Null for a generated stream: no range requests, and a chunk's bytes are valid only until the next chunk. */
  readonly size: number | null
  /** Equal as long as the content is equal. */
  readonly tag: string
  open(range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array>>
}
export const FileAnswer = z.custom<FileBody>()
