import type { Connector } from '@trellis/connector-kit/connector'
import type { Forma } from '@trellis/contract/formas/forma'
import type { Integration, OutsideSchemas, Platform } from '@trellis/contract/integrations/integrations.schemas'
import { withCatalogueSession } from '@trellis/workspace-db/catalogue/plain-session'
import { createNamesCache, readNames } from '@trellis/workspace-db/catalogue/read-names'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import { ASK_MS, callPlatform } from './call-platform.ts'
import { isUnexpected } from './connection/problem.ts'
import { getIntegrationRow } from './stored-integration.ts'
import { listIntegrations } from './integrations.service.ts'
import { NOT_THERE, getConnector, showPlatform } from './platforms.ts'

type Part = 'source' | 'destination'

const MAX_TABLES = 2000

export async function listPlatformsFor(ctx: WorkspaceCtx, part: Part): Promise<Platform[]> {
  const able = ctx.ports.platforms.connectors.filter((connector) => connector[part] !== undefined)
  return able.map((connector) => showPlatform(ctx, connector))
}

export async function listIntegrationsFor(ctx: WorkspaceCtx, part: Part, platform: string): Promise<Integration[]> {
  if (!getConnector(ctx, platform)[part]) throw new AppError('not_found', NOT_THERE)
  return await listIntegrations(ctx, { platform_trellis_code: platform })
}

export async function listTransformationIntegrations(ctx: WorkspaceCtx, platform: string): Promise<Integration[]> {
  getConnector(ctx, platform)
  const all = await listIntegrations(ctx, { platform_trellis_code: platform })
  return all.filter(({ is_managed }) => is_managed)
}

const cache = createNamesCache()

export async function getTransformationSchema(ctx: WorkspaceCtx, code: string): Promise<OutsideSchemas> {
  const { cluster, database, credentials } = await openDatabase(ctx, code)
  const target = { database, credentials, role: 'ro', signal: ctx.http.signal } as const
  const names = await withCatalogueSession(cluster, target, (session) => readNames(session, { database, cache }))
  return {
    schemas: names.schemas.map(({ name }) => {
      const tables = names.tables.filter(({ schema }) => schema === name)
      return {
        name,
        tables: tables.slice(0, MAX_TABLES).map((table) => ({
          name: table.name,
          kind: table.kind.includes('view') ? ('view' as const) : ('table' as const),
          rows: null,
        })),
        is_cut: tables.length > MAX_TABLES,
      }
    }),
  }
}

export async function getQueryFormas(
  ctx: WorkspaceCtx,
  part: Part,
  code: string,
): Promise<{ integration_trellis_code: string; platform_trellis_code: string; formas: Forma[] }> {
  const row = await getIntegrationRow(ctx, code)
  const formas = ctx.ports.platforms.find(row.platform_code)?.[part]?.queryFormas
  if (!formas) throw new AppError('not_found', NOT_THERE)
  return {
    integration_trellis_code: row.trellis_code,
    platform_trellis_code: row.platform_code,
    formas: [...formas],
  }
}

export async function getOutsideSchemas(ctx: WorkspaceCtx, code: string): Promise<OutsideSchemas> {
  const row = await getIntegrationRow(ctx, code)
  const { tables } = ctx.ports.platforms.find(row.platform_code) ?? {}
  if (!tables) throw new AppError('not_found', NOT_THERE)
  return await callPlatform(ctx, row, async ({ context }) => {
    const { schemas } = await tables(context)
    return {
      schemas: schemas.map(({ name, tables: all, is_cut }) => ({
        name,
        tables: all.slice(0, MAX_TABLES).map((table) => ({ ...table })),
        is_cut: is_cut || all.length > MAX_TABLES,
      })),
    }
  })
}

const MAX_OPTIONS = 1000

export async function listOptions(
  ctx: WorkspaceCtx,
  code: string,
  query: { options: string; search?: string | undefined },
): Promise<{ value: string; label: string; hint?: string | undefined }[]> {
  const row = await getIntegrationRow(ctx, code)
  const connector = ctx.ports.platforms.find(row.platform_code)
  if (!connector?.options) throw new AppError('not_found', NOT_THERE)
  const { options } = connector
  return await callPlatform(ctx, row, async ({ context }) => {
    const choices = await options(context, query.options, query.search ?? '')
    return choices.slice(0, MAX_OPTIONS).map((choice) => ({ ...choice }))
  })
}

export async function validateQuery(
  ctx: WorkspaceCtx,
  code: string,
  query: string,
): Promise<{ did_succeed: boolean; message: string }> {
  const row = await getIntegrationRow(ctx, code)
  const connector = ctx.ports.platforms.find(row.platform_code)
  if (!connector?.judgeQuery) throw new AppError('not_found', NOT_THERE)
  const verdict = connector.judgeQuery(query)
  if (!verdict.did_succeed || row.state !== 'ACTIVE' || !connector.askAboutQuery) return verdict
  return await checkQueryOnPlatform(ctx, connector.askAboutQuery, { row, query, verdict })
}

/** If the platform is unreachable, only the local check counts. */
async function checkQueryOnPlatform(
  ctx: WorkspaceCtx,
  ask: NonNullable<Connector['askAboutQuery']>,
  about: {
    row: Awaited<ReturnType<typeof getIntegrationRow>>
    query: string
    verdict: { did_succeed: boolean; message: string }
  },
): Promise<{ did_succeed: boolean; message: string }> {
  try {
    return await callPlatform(ctx, about.row, async ({ context }) => ({ ...(await ask(context, about.query)) }))
  } catch (error) {
    if (isUnexpected(error)) ctx.log.warn({ integration: about.row.trellis_code, most: ASK_MS }, 'No verdict came.')
    return about.verdict
  }
}
