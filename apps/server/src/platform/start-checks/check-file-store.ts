import { openObjectStore } from '../object-store/open-object-store.ts'
import { type StartCheck, fail, passCheck, warn } from './start-check.ts'

const REFUSALS = new Set(['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'CredentialsProviderError'])

export const checkFileStore: StartCheck = async ({ config }) => {
  if (!config.s3) return passCheck(`files lie in ${config.home}/objects`)
  const { bucket, endpoint = 'AWS' } = config.s3
  try {
    await openObjectStore(config).list('', { limit: 1 })
    return passCheck(`bucket ${bucket} at ${endpoint}`)
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'NoSuchBucket') {
      return fail(`There is no bucket ${bucket} at ${endpoint}`, 'Create it, or correct TRELLIS_S3_BUCKET.')
    }
    if (REFUSALS.has(name)) {
      return fail(`${endpoint} refuses access to the bucket ${bucket} (${name})`, 'Correct TRELLIS_S3_ACCESS_KEY_ID.')
    }
    return warn(`The bucket ${bucket} at ${endpoint} can't be read for now: ${message}`, 'Check TRELLIS_S3_ENDPOINT.')
  }
}
