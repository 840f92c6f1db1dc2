import { join } from 'node:path'
import { createLocalStore } from './local-store.ts'
import type { ObjectStore } from './object-store.ts'
import { type S3Settings, createS3Store } from './s3-store.ts'

/** Files under the data folder, unless a bucket is configured. */
export function openObjectStore(config: { home: string; s3: S3Settings | undefined }): ObjectStore {
  return config.s3 ? createS3Store(config.s3) : createLocalStore(join(config.home, 'objects'))
}
