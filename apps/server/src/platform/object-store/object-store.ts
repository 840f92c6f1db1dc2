import type { Readable } from 'node:stream'
import { AppError } from '../app-error.ts'

export interface ObjectInfo {
  key: string
  size: number
  modifiedAt: Date
}

interface StoredObject extends ObjectInfo {
  contentType: string
}

/** Bytes from `start` to `end`, both included; without `end` to the last one. */
interface ByteRange {
  start: number
  end?: number
}

interface PutOptions {
  contentType?: string
  /**
   * Deleted soon, and needed for looking at data while making room: stored a little longer when the disk fills up. Not
   * waited for until it is on the disk, so a power cut may leave less than all of its bytes.
   */
  isShortLived?: boolean
}

/** Files of any size, streamed. A key is there with all its bytes or not at all, whatever happens while it is written. */
export interface ObjectStore {
  /** Throws disk_full where `put` would, so that work that ends in a file is refused before it begins. */
  assertSpace(): Promise<void>
  put(key: string, body: Readable | Uint8Array, options?: PutOptions): Promise<{ size: number }>
  /** Throws not_found. The stream must be read to its end or destroyed. */
  get(key: string, options?: { range?: ByteRange }): Promise<StoredObject & { stream: Readable }>
  stat(key: string): Promise<StoredObject | undefined>
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>
  /** In the order of the keys' bytes; `nextAfter` continues the list. */
  list(
    prefix: string,
    options?: { after?: string; limit?: number },
  ): Promise<{ objects: ObjectInfo[]; nextAfter: string | undefined }>
}

export const DEFAULT_TYPE = 'application/octet-stream'
export const LIST_LIMIT = 1000

/** Lower case only: some disks don't tell "A" from "a". */
const SEGMENT = /^[a-z0-9_][a-z0-9._=-]*$/
const MAX_KEY_BYTES = 512
const MAX_SEGMENT_BYTES = 200

/** Keys are made by the product, never taken from a person; this is the wall behind that rule. */
export function assertKey(key: string): void {
  const isKey =
    key.length <= MAX_KEY_BYTES &&
    key.split('/').every((segment) => segment.length <= MAX_SEGMENT_BYTES && SEGMENT.test(segment))
  if (!isKey) throw new Error(`${JSON.stringify(key.slice(0, 80))} is no key of the object store.`)
}

/** A prefix may end anywhere within a key. */
export function assertPrefix(prefix: string): void {
  if (prefix !== '') assertKey(prefix.endsWith('/') ? prefix.slice(0, -1) : prefix)
}

export function diskFull(cause?: unknown): AppError {
  return new AppError(
    'disk_full',
    'The disk is nearly full, so no new files are stored. Delete exports, uploaded files or tables for good that are no longer needed, or ask whoever runs Trellis for more space. It works again by itself when there is room.',
    { cause },
  )
}

export function objectMissing(): AppError {
  return new AppError('not_found', 'The file is not there any more.')
}
