import S3rver from '@20minutes/s3rver'
import { findFreePort } from '@trellis/embedded/postgres/free-port'

export interface S3Server {
  readonly endpoint: string
  readonly settings: Record<string, string>
  close(): Promise<void>
}

export async function startS3Server(directory: string, buckets: readonly string[]): Promise<S3Server> {
  const port = await findFreePort()
  const server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    // It omits the slash that the SDK signs after a bucket's name.
    allowMismatchedSignatures: true,
    directory,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  })
  await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    settings: {
      TRELLIS_S3_ENDPOINT: endpoint,
      TRELLIS_S3_ACCESS_KEY_ID: 'S3RVER',
      TRELLIS_S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    close: () => server.close(),
  }
}
