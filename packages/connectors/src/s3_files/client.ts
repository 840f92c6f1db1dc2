import { Readable } from 'node:stream'
import type * as Sdk from '@aws-sdk/client-s3'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { toRefusedAddressError } from '@trellis/connector-kit/http/refused-address'
import * as z from 'zod/mini'

export interface Bucket {
  readonly client: Sdk.S3Client
  readonly sdk: typeof Sdk
  readonly name: string
}

const Values = z.object({
  bucket: z.string().check(z.trim(), z.minLength(1)),
  region: z._default(z.string(), 'us-east-1'),
  endpoint: z.optional(z.nullable(z.string())),
  access_key_id: z.string().check(z.minLength(1)),
  secret_access_key: z.string().check(z.minLength(1)),
})

const TIMEOUT_MS = 60 * 60_000
const MAX_BYTES = 50 * 1024 ** 3

/** The AWS SDK, with all requests through the context. */
export async function openBucket(context: ConnectorContext): Promise<Bucket> {
  const given = z.safeParse(Values, context.values['bucket'] ?? {})
  if (!given.success) {
    throw new ConnectorError('configuration', 'The settings are not complete.', {
      field: `bucket.${String(given.error.issues[0]?.path[0] ?? 'bucket')}`,
      advice: 'Fill in bucket, region, key and secret.',
    })
  }
  const { bucket, region, endpoint, access_key_id, secret_access_key } = given.data
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    region: region || 'us-east-1',
    forcePathStyle: Boolean(endpoint),
    maxAttempts: 4,
    credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key },
    // Only Amazon supports checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: true,
    requestHandler: createHandler(context) as never,
    ...(endpoint?.trim() && { endpoint: endpoint.trim() }),
  })
  return { client, sdk, name: bucket }
}

interface SdkRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly query?: Record<string, string | string[] | null>
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array
}

function createHandler(context: ConnectorContext) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: SdkRequest) {
      context.signal.throwIfAborted()
      const { expect: _, host: __, 'content-length': ___, ...headers } = request.headers
      const response = await context.fetch(buildUrl(request), {
        method: request.method,
        headers,
        signal: context.signal,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        redirects: 0,
        ...(request.body && { body: request.body }),
      })
      const body = response.body ? Readable.fromWeb(response.body as never) : Readable.from([])
      return { response: { statusCode: response.status, headers: Object.fromEntries(response.headers), body } }
    },
  }
}

function buildUrl({ protocol, hostname, port, path, query = {} }: SdkRequest): string {
  const encode = (text: string) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((item) => (item === null ? encode(name) : `${encode(name)}=${encode(item ?? '')}`)),
  )
  return `${protocol}//${hostname}${port ? `:${port}` : ''}${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}

interface RefusalText {
  readonly text: (bucket: string) => string
  readonly field: string
  readonly advice: string
}

const NO_RIGHT: RefusalText = {
  text: (bucket) => `The key has no right to do this in the bucket ${bucket}.`,
  field: 'access_key_id',
  advice: 'Give it the rights that the documentation names.',
}
const OTHER_REGION: RefusalText = {
  text: (bucket) => `The bucket ${bucket} is in another region.`,
  field: 'region',
  advice: 'Enter the region of the bucket.',
}
const REFUSALS: Record<string, RefusalText> = {
  NoSuchBucket: {
    text: (bucket) => `There is no bucket called ${bucket}.`,
    field: 'bucket',
    advice: 'Check the name of the bucket and the region.',
  },
  InvalidAccessKeyId: {
    text: () => 'This access key does not exist.',
    field: 'access_key_id',
    advice: 'Enter the key again.',
  },
  SignatureDoesNotMatch: {
    text: () => 'The secret does not belong to the access key.',
    field: 'secret_access_key',
    advice: 'Enter the secret again.',
  },
  AccessDenied: NO_RIGHT,
  PermanentRedirect: OTHER_REGION,
  301: OTHER_REGION,
  403: NO_RIGHT,
  404: {
    text: (bucket) => `There is nothing of this name in the bucket ${bucket}.`,
    field: 'bucket',
    advice: 'Check the names.',
  },
}

export function toBucketError(error: unknown, bucket: string): unknown {
  if (error instanceof ConnectorError) return error
  const refusedConnectorError = toRefusedAddressError(error, 'bucket.endpoint')
  if (refusedConnectorError) return refusedConnectorError
  const { name = '', $metadata, message = '' } = error as Partial<Error> & { $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode ?? 0
  const said = REFUSALS[name] ?? REFUSALS[status]
  if (said) {
    const { text, field, advice } = said
    return new ConnectorError('configuration', text(bucket), { field: `bucket.${field}`, advice, cause: error })
  }
  if (name === 'SlowDown' || status === 429 || status === 503) {
    return new ConnectorError('rate_limited', 'The store asks to slow down.', { cause: error })
  }
  if (status >= 500) return new ConnectorError('transient', 'The store could not answer just now.', { cause: error })
  if (name !== 'OutgoingProblem') return error
  const advice = 'Check the address of the store.'
  return new ConnectorError('configuration', message, { field: 'bucket.endpoint', advice, cause: error })
}
