import type { Endpoint } from '@trellis/contract/core/endpoint'
import { readWhileSignedIn } from './read-calls.ts'
import { buildRequest } from './request.ts'
import { send } from './send.ts'
import { withSession } from './with-session.ts'

export interface CallOptions {
  signal?: AbortSignal | undefined
}

/**
 * A 401 leads to one shared token refresh and one replay; when the refresh fails, the first error is thrown. A 503 is
 * left to the caller, with `retryAfter`.
 */
export async function call<Call, Handler, Result>(
  endpoint: Endpoint<Call, Handler, Result>,
  input: NoInfer<Call>,
  options: CallOptions = {},
): Promise<Result> {
  const request = buildRequest(endpoint, input)
  const { signal } = options
  if (endpoint.permission === 'public') return (await send(request, { signal })) as Result
  const sendSigned = async (signal: AbortSignal | undefined) =>
    (await withSession((token) => send(request, { token, signal }))) as Result
  return request.method === 'GET' ? await readWhileSignedIn(signal, sendSigned) : await sendSigned(signal)
}
