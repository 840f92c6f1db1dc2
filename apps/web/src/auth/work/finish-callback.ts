import { ssoCallback } from '@trellis/contract/identity/identity.endpoints'
import type { SsoAnswer } from '@trellis/contract/identity/identity.schemas'
import type * as z from 'zod/mini'
import { buildRequest } from '../../api/request.ts'
import { send } from '../../api/send.ts'
import { withSession } from '../../api/with-session.ts'
import { isSignedInHere } from './already-signed-in.ts'

/** Public, but sends the token if there is one: OAuth consent is accepted only from the signed-in person. */
export async function finishCallback(query: Record<string, string>): Promise<z.infer<typeof SsoAnswer>> {
  const request = buildRequest(ssoCallback, { query })
  const ask = (token?: string) => send(request, { token })
  return (await (isSignedInHere() ? withSession(ask) : ask())) as z.infer<typeof SsoAnswer>
}
