import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, Instant } from '../core/shapes.ts'
import { visibleName } from '../core/visible-text.ts'

export const TokenScope = z.enum(['read', 'write', 'run', 'admin'])
export type TokenScope = z.infer<typeof TokenScope>

export const AccessToken = z.object({
  id: z.int(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(TokenScope),
  created_at: Instant,
  expires_at: z.nullable(Instant),
  last_used_at: z.nullable(Instant),
  /** The MCP server an agent's token is restricted to; null for an unrestricted token. */
  resource: z.nullable(z.string()),
})
export type AccessToken = z.infer<typeof AccessToken>

export const AccessTokenCreate = z.object({
  name: z
    .string({ error: 'Field required' })
    .check(z.trim(), z.minLength(1, 'Field required'), z.maxLength(60), visibleName),
  scopes: z.array(TokenScope).check(z.minLength(1, 'Choose at least one scope'), z.maxLength(4)),
  days: z.nullable(z.int().check(z.minimum(1), z.maximum(366))),
})

const feature = 'tokens'
const permission = 'profile:self'

export const listAccessTokens = defineEndpoint({
  id: 'listAccessTokens',
  feature,
  permission,
  method: 'GET',
  path: '/profile-token/tokens',
  summary: 'My personal access tokens',
  response: z.array(AccessToken),
})
export const createAccessToken = defineEndpoint({
  id: 'createAccessToken',
  feature,
  permission,
  method: 'POST',
  path: '/profile-token/tokens',
  summary: 'Make a token; its secret is shown this once',
  body: AccessTokenCreate,
  response: z.extend(AccessToken, { secret: z.string() }),
  creates: true,
})
export const revokeAccessToken = defineEndpoint({
  id: 'revokeAccessToken',
  feature,
  permission,
  method: 'DELETE',
  path: '/profile-token/tokens/:token_id',
  summary: 'Revoke a token at once',
  params: z.object({ token_id: z.coerce.number().check(z.int(), z.minimum(1)) }),
  response: Done,
  errors: ['not_found'],
})

export const tokensEndpoints = [listAccessTokens, createAccessToken, revokeAccessToken]
