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

/** Both ends included. */
interface ByteRange {
  start: number
  end?: number
}

interface PutOptions {
  contentType?: string
  /** May use the reserve of a full disk. Written without fsync, so a power cut may truncate it. */
  isShortLived?: boolean
}

/** Writes are atomic. */
export interface ObjectStore {
  /** Throws disk_full before work that would end in a `put`. */
  assertSpace(): Promise<void>
  put(key: string, body: Readable | Uint8Array, options?: PutOptions): Promise<{ size: number }>
  /** Throws not_found. Read the stream to its end or destroy it. */
  get(key: string, options?: { range?: ByteRange }): Promise<StoredObject & { stream: Readable }>
  stat(key: string): Promise<StoredObject | undefined>
  delete(key: string): Promise<void>
  list(
    prefix: string,
    options?: { after?: string; limit?: number },
  ): Promise<{ objects: ObjectInfo[]; nextAfter: string | undefined }>
}

export const DEFAULT_TYPE = 'application/octet-stream'
export const LIST_LIMIT = 1000

/** Lower case only, since some file systems ignore case. */
const SEGMENT = /^[a-z0-9_][a-z0-9._=-]*$/
const MAX_KEY_BYTES = 512
const MAX_SEGMENT_BYTES = 200

/** Defence in depth: keys never come from users. */
export function assertKey(key: string): void {
  const isKey =
    key.length <= MAX_KEY_BYTES &&
    key.split('/').every((segment) => segment.length <= MAX_SEGMENT_BYTES && SEGMENT.test(segment))
  if (!isKey) throw new Error(`${JSON.stringify(key.slice(0, 80))} is no key of the object store.`)
}

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
  return new AppError('not_found', 'The file no longer exists.')
}
