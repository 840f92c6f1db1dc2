import type { Endpoint } from '@trellis/contract/core/endpoint'
import { buildRequest } from './request.ts'
import { send } from './send.ts'
import { withSession } from './with-session.ts'

/** A call whose body is a form with a file. The browser writes the content type, as only it knows the boundary. */
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
