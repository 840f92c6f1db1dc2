import { type Connector, resolveSetupForma } from '@trellis/connector-kit/connector'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { toSampleForma } from '@trellis/contract/formas/sample-data'
import type { PLATFORM_KINDS, Platform, PlatformDetails } from '@trellis/contract/integrations/integrations.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { OauthApp } from '../../platform/config.ts'
import type { BaseCtx } from '../../platform/ctx.ts'

type Ctx = Pick<BaseCtx, 'ports'>

export const APP_SECTION = 'app'
/** For a token created elsewhere, instead of consent. */
export const TOKEN_SECTION = 'token'

export const SIMULATORS_PATH = '/simulators'

export const NOT_THERE = 'There is nothing at this address, or you have no access to it.'

export function getConnector(ctx: Ctx, code: string): Connector {
  const connector = ctx.ports.platforms.find(code)
  if (!connector) throw new AppError('not_found', NOT_THERE)
  return connector
}

export function listPlatformKinds(connector: Connector): (typeof PLATFORM_KINDS)[number][] {
  return [
    ...(connector.source ? (['Extraction'] as const) : []),
    ...(connector.destination ? (['Load'] as const) : []),
    ...(connector.tags.includes('database') ? (['Database'] as const) : []),
  ]
}

export const canBeSimulated = (ctx: Ctx, connector: Connector) =>
  connector.simulator !== undefined && ctx.ports.config.hasSimulators

export function operatorsApp(ctx: Ctx, connector: Connector): OauthApp | undefined {
  return connector.oauth && ctx.ports.config.oauthApps.get(connector.oauth.provider.toUpperCase())
}

export const redirectUrl = (ctx: Ctx) => `${ctx.ports.config.publicUrl}/sso/callback`

/** The operator's app, or a simulator, makes the user's own app optional. */
export function buildSetupForma(
  ctx: Ctx,
  connector: Connector,
  { values = {}, isSimulated = false }: { values?: FormaValues; isSimulated?: boolean } = {},
): Forma {
  const forma = resolveSetupForma(connector, values)
  if (isSimulated) return withOptionalCredentials(forma)
  if (connector.oauth === undefined || operatorsApp(ctx, connector) === undefined) return forma
  const sections = forma.sections.map((section) =>
    section.reference === APP_SECTION ? { ...section, is_required: false } : section,
  )
  return { ...forma, sections }
}

/** Optional for sample data, but kept if entered, to test a refusal. */
function withOptionalCredentials(forma: Forma): Forma {
  const asked = new Map(toSampleForma(forma).sections.map((section) => [section.reference, section]))
  const sections = forma.sections.map((section) => {
    const { is_required = false, elements = [] } = asked.get(section.reference) ?? {}
    const optional = section.elements.map((element) =>
      elements.includes(element) ? element : { ...element, is_optional: true },
    )
    return { ...section, is_required, elements: optional }
  })
  return { ...forma, sections }
}

export function showPlatform(ctx: Ctx, connector: Connector): Platform {
  return {
    platform_trellis_code: connector.code,
    name: connector.name,
    summary: connector.summary,
    tags: [...connector.tags],
    kinds: listPlatformKinds(connector),
    icon: ctx.ports.platforms.readIcon(connector),
    can_be_set_up: connector.usesOwnDatabase !== true,
    has_simulator: canBeSimulated(ctx, connector),
  }
}

export function listConnectorsByTags(ctx: Ctx, tags: string | undefined): Connector[] {
  const wanted = tags?.split(',') ?? []
  return ctx.ports.platforms.connectors.filter(({ tags: own }) =>
    wanted.every((tag) => (own as readonly string[]).includes(tag)),
  )
}

export async function listPlatforms(ctx: Ctx, tags: string | undefined): Promise<Platform[]> {
  return listConnectorsByTags(ctx, tags).map((connector) => showPlatform(ctx, connector))
}

export async function getPlatform(ctx: Ctx, code: string): Promise<PlatformDetails> {
  const connector = getConnector(ctx, code)
  const { oauth } = connector
  return {
    ...showPlatform(ctx, connector),
    documentation: ctx.ports.platforms.readDocumentation(connector),
    oauth: oauth
      ? {
          provider: oauth.provider,
          scopes: [...oauth.scopes],
          redirect_url: redirectUrl(ctx),
          has_app: operatorsApp(ctx, connector) !== undefined,
        }
      : null,
  }
}

export async function getSetupForma(ctx: Ctx, code: string): Promise<{ forma: Forma; platform: Platform }> {
  const connector = getConnector(ctx, code)
  return { forma: buildSetupForma(ctx, connector), platform: showPlatform(ctx, connector) }
}
