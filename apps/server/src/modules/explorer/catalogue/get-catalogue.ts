import type { CataloguePage } from '@trellis/contract/explorer/catalogue.endpoints'
import {
  readCatalogueSchemas,
  readCatalogueTables,
  readCatalogueVersion,
  readForeignKeys,
  readFunctions,
} from '@trellis/workspace-db/catalogue/read-catalogue'
import { HOME_SCHEMA } from '@trellis/contract/dataflows/dataflow-words'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { withReaderSession } from '../open-session.service.ts'

const PAGE_TABLES = 2000

interface CatalogueQuery {
  known_version?: string | undefined
  after?: number | undefined
}

/** In its own session, so that it never blocks a user's query. */
export async function getCatalogue(
  ctx: WorkspaceCtx,
  params: { integration_trellis_code: string },
  { known_version, after = 0 }: CatalogueQuery,
): Promise<CataloguePage> {
  return await withReaderSession(
    ctx,
    { integrationCode: params.integration_trellis_code },
    async (session, database) => {
      const version = await readCatalogueVersion(session)
      const head = { version, search_path: database.kind === 'managed' ? [HOME_SCHEMA] : [] }
      const nothing = { schemas: [], tables: [], foreign_keys: [], functions: [], next_after: null }
      if (version === known_version) return { ...head, ...nothing, is_unchanged: true }
      const { tables, nextAfter } = await readCatalogueTables(session, { after, limit: PAGE_TABLES })
      return {
        ...head,
        is_unchanged: false,
        schemas: after === 0 ? await readCatalogueSchemas(session) : [],
        tables,
        foreign_keys: [...(await readForeignKeys(session, { after, until: nextAfter }))],
        functions: after === 0 ? [...(await readFunctions(session))] : [],
        next_after: nextAfter,
      }
    },
  )
}
