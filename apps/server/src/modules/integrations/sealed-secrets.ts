import type { AnyDb } from '@trellis/control-db/database'
import type { Ports } from '../../platform/ports.ts'
import type { IntegrationRow } from './integrations.repository.ts'
import type { Secrets } from './settings-values.ts'

type Ctx = { readonly db: AnyDb; readonly ports: Pick<Ports, 'secrets'> }
type Owner = Pick<IntegrationRow, 'id' | 'workspace_id'>

/** Bound to this row: they cannot be opened in another. */
const toSecretPlace = ({ id, workspace_id }: Owner, what: 'secrets' | 'tokens' | 'link') => ({
  scope: `workspace:${workspace_id}`,
  field: `integration:${id}/${what}`,
})

export async function sealSecrets(ctx: Ctx, owner: Owner, secrets: Secrets): Promise<string | null> {
  if (Object.keys(secrets).length === 0) return null
  return await ctx.ports.secrets.seal(ctx, toSecretPlace(owner, 'secrets'), JSON.stringify(secrets))
}

export async function openSecrets(ctx: Ctx, row: Owner & Pick<IntegrationRow, 'secrets'>): Promise<Secrets> {
  if (row.secrets === null) return {}
  return JSON.parse(await ctx.ports.secrets.open(ctx, toSecretPlace(row, 'secrets'), row.secrets)) as Secrets
}

export interface Tokens {
  readonly access_token?: string
  readonly refresh_token?: string
}

export const sealTokens = (ctx: Ctx, owner: Owner, tokens: Tokens) =>
  ctx.ports.secrets.seal(ctx, toSecretPlace(owner, 'tokens'), JSON.stringify(tokens))

export const openTokens = async (ctx: Ctx, owner: Owner, sealed: string): Promise<Tokens> =>
  JSON.parse(await ctx.ports.secrets.open(ctx, toSecretPlace(owner, 'tokens'), sealed)) as Tokens

export const sealVerifier = (ctx: Ctx, owner: Owner, verifier: string) =>
  ctx.ports.secrets.seal(ctx, toSecretPlace(owner, 'link'), verifier)

export const openVerifier = (ctx: Ctx, owner: Owner, sealed: string) =>
  ctx.ports.secrets.open(ctx, toSecretPlace(owner, 'link'), sealed)
