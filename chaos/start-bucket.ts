import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { findFreePort } from '@trellis/embedded/postgres/free-port'

export const BUCKET = 'trellis'

export async function startBucket(home: string, undo: (() => Promise<unknown>)[]): Promise<number> {
  const port = await findFreePort()
  const server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    allowMismatchedSignatures: true,
    directory: join(home, 's3'),
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  await server.run()
  undo.push(() => server.close())
  return port
}
