import * as calls from '@trellis/contract/tokens/tokens.endpoints'
import { handle } from '../../http/handle.ts'
import { createAccessToken, listAccessTokens, revokeAccessToken } from './tokens.service.ts'

export const tokensRoutes = [
  handle(calls.listAccessTokens, (_, ctx) => listAccessTokens(ctx)),
  handle(calls.createAccessToken, ({ body }, ctx) => createAccessToken(ctx, body)),
  handle(calls.revokeAccessToken, ({ params }, ctx) => revokeAccessToken(ctx, params.token_id)),
]
