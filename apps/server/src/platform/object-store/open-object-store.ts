import { join } from 'node:path'
import { createLocalStore } from './local-store.ts'
import type { ObjectStore } from './object-store.ts'
import { type S3Settings, createS3Store } from './s3-store.ts'

export function openObjectStore(config: {
  home: string
  s3: S3Settings | undefined
  databaseLimits: { disk: number }
}): ObjectStore {
  if (config.s3) return createS3Store(config.s3)
  return createLocalStore(join(config.home, 'objects'), { limit: config.databaseLimits.disk })
}
