import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { transaction } from '@trellis/control-db/database'
import { toAccountScope, updateIntegrationRow } from '../integrations.repository.ts'
import { TOKEN_SECTION } from '../platforms.ts'
import { type Tokens, openTokens, sealTokens } from '../sealed-secrets.ts'
import {
  type TokenRow,
  findTokens,
  insertTokensOnce,
  isConsentOver,
  lockTokens,
  updateTokens,
} from '../tokens.repository.ts'
import { getApp, requestTokens, consentOver } from './oauth-tokens.ts'
import { toProblem } from './problem.ts'
import type { TokenWork } from './token-work.ts'

const SPARE_MS = 60_000

/** One refresh at a time per process, as each waiter on the row lock would hold a connection. */
const underWay = new Map<number, Promise<string>>()

export function createAccessToken(work: TokenWork): (options?: { isStale?: string }) => Promise<string> {
  return async ({ isStale } = {}) => {
    const pasted = getPastedTokens(work.values)
    if (pasted.access_token !== undefined && pasted.refresh_token === undefined) {
      if (isStale !== pasted.access_token) return pasted.access_token
      throw new ConnectorError('configuration', `${getProvider(work)} does not accept the access token.`, {
        advice: 'Paste a new one, or give your consent instead.',
        field: `${TOKEN_SECTION}.access_token`,
      })
    }
    const fresh = await findFresh(work, isStale)
    if (fresh !== undefined) return fresh
    for (;;) {
      const pending = underWay.get(work.row.id)
      if (pending === undefined) break
      const token = await pending.catch(() => undefined)
      if (token !== undefined && token !== isStale) return addToScrub(work, token)
    }
    const asking = fetchOnce(work, isStale).finally(() => underWay.delete(work.row.id))
    underWay.set(work.row.id, asking)
    return addToScrub(work, await asking)
  }
}

function addToScrub(work: TokenWork, token: string): string {
  work.scrub.add(token)
  return token
}

const getProvider = ({ connector }: TokenWork) => connector.oauth?.provider ?? connector.name

function getPastedTokens(values: FormaValues): Tokens {
  const { access_token, refresh_token } = values[TOKEN_SECTION] ?? {}
  return {
    ...(typeof access_token === 'string' && access_token !== '' && { access_token }),
    ...(typeof refresh_token === 'string' && refresh_token !== '' && { refresh_token }),
  }
}

async function findFresh(work: TokenWork, isStale: string | undefined): Promise<string | undefined> {
  const { ctx, row } = work
  const storedTokens = (await findTokens(toAccountScope(ctx, row.account_id), [row.id])).get(row.id)
  return storedTokens && (await findFreshToken(work, storedTokens, isStale))
}

async function findFreshToken(
  work: TokenWork,
  kept: TokenRow,
  isStale: string | undefined,
): Promise<string | undefined> {
  const { access_token } = await openTokens(work.ctx, work.row, kept.tokens)
  if (access_token === undefined || access_token === isStale) return undefined
  const end = kept.access_expires_at?.getTime()
  if (end !== undefined && end - SPARE_MS <= work.ctx.clock.now().getTime()) return undefined
  return addToScrub(work, access_token)
}

/** Under the row's lock and after checking again: of many workers, one refreshes. */
async function fetchOnce(work: TokenWork, isStale: string | undefined): Promise<string> {
  await beginWithPasted(work)
  const outcome = await transaction(work.ctx, async (ctx) => await fetchLocked({ ...work, ctx }, isStale))
  if (typeof outcome === 'string') return outcome
  throw outcome
}

/** Returned instead of thrown, so that the broken state is committed. */
async function fetchLocked(work: TokenWork, isStale: string | undefined): Promise<string | ConnectorError> {
  const { ctx, row } = work
  const scope = toAccountScope(ctx, row.account_id)
  const kept = await lockTokens(scope, row.id)
  if (!kept || isConsentOver(kept, ctx.clock.now())) return consentOver(getProvider(work))
  const fresh = await findFreshToken(work, kept, isStale)
  if (fresh !== undefined) return fresh
  const { refresh_token } = await openTokens(ctx, row, kept.tokens)
  if (refresh_token === undefined) {
    await markBroken(work)
    return consentOver(getProvider(work))
  }
  work.scrub.add(refresh_token)
  const given = await requestTokens(work, getApp(work), { grant_type: 'refresh_token', refresh_token })
  if ('refused' in given) {
    if (given.isOver) await endConsent(work)
    return given.refused
  }
  // Providers that rotate refresh tokens revoke the old one.
  const next = { access_token: given.access_token, refresh_token: given.refresh_token ?? refresh_token }
  await updateTokens(scope, row.id, {
    tokens: await sealTokens(ctx, row, next),
    access_expires_at: given.expiresAt,
    ...(given.refreshExpiresAt && { consent_expires_at: given.refreshExpiresAt }),
  })
  return given.access_token
}

async function endConsent(work: TokenWork): Promise<void> {
  const scope = toAccountScope(work.ctx, work.row.account_id)
  await updateTokens(scope, work.row.id, {
    tokens: await sealTokens(work.ctx, work.row, {}),
    access_expires_at: null,
    consent_expires_at: work.ctx.clock.now(),
  })
  await markBroken(work)
}

/** Without a refresh token, tokens are kept: a platform may refuse one by mistake. */
async function markBroken(work: TokenWork): Promise<void> {
  const scope = toAccountScope(work.ctx, work.row.account_id)
  const problem = toProblem(consentOver(getProvider(work)), work.scrub)
  await updateIntegrationRow(scope, work.row.id, { state: 'ERROR', problem: JSON.stringify(problem) })
}

async function beginWithPasted({ ctx, row, values }: TokenWork): Promise<void> {
  const { refresh_token } = getPastedTokens(values)
  if (refresh_token === undefined) return
  await insertTokensOnce(toAccountScope(ctx, row.account_id), {
    integration_id: row.id,
    tokens: await sealTokens(ctx, row, { refresh_token }),
    access_expires_at: null,
    consent_expires_at: null,
    linked_as: null,
    linked_by: null,
  })
}
