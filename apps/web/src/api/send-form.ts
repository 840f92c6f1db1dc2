import type { Endpoint } from '@trellis/contract/core/endpoint'
import { buildRequest } from './request.ts'
import { send } from './send.ts'
import { withSession } from './with-session.ts'

/** The browser sets the content type, with the boundary. */
export async function sendForm<Call, Handler, Result>(
  endpoint: Endpoint<Call, Handler, Result>,
  input: NoInfer<Call>,
  file: File,
): Promise<Result> {
  const body = new FormData()
  body.append('file', file)
  const request = { ...buildRequest(endpoint, input), body }
  return (await withSession((token) => send(request, { token }))) as Result
}
