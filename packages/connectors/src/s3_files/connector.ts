import { joinElements, defineConnector } from '@trellis/connector-kit/connector'
import { toBucketError, openBucket } from './client.ts'
import { destination } from './destination.ts'
import { setupForma } from './setup-forma.ts'
import { source } from './source.ts'

export const s3Files = defineConnector({
  code: 's3_files',
  name: 'Files in S3',
  summary: 'Reads and writes CSV, JSON lines and Parquet files in S3 and stores like it; reads Excel as well.',
  tags: ['source', 'destination', 'files'],
  setupForma,
  hosts: {},
  secretsGoTo: joinElements('bucket.endpoint', 'bucket.region'),
  check: async (context) => {
    const { client, sdk, name } = await openBucket(context)
    try {
      const { Contents = [], IsTruncated } = await client.send(
        new sdk.ListObjectsV2Command({ Bucket: name, MaxKeys: 1000 }),
      )
      return [
        { label: 'Bucket', value: name },
        { label: 'Files', value: IsTruncated ? 'more than 1,000' : String(Contents.length) },
      ]
    } catch (error) {
      context.signal.throwIfAborted()
      throw toBucketError(error, name)
    }
  },
  source,
  destination,
})
