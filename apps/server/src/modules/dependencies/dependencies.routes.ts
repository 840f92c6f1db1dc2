import { getTableDetails, getTableUsage } from '@trellis/contract/explorer/explorer.endpoints'
import { handle } from '../../http/handle.ts'
import { readUsage } from './dependencies.service.ts'
import { readTablePage } from './table-page.ts'

export const dependenciesRoutes = [
  handle(getTableDetails, ({ params }, ctx) => readTablePage(ctx, params)),
  handle(getTableUsage, ({ params, query }, ctx) =>
    readUsage(ctx, {
      integrationCode: params.integration_trellis_code,
      schema: params.schema_name,
      table: query.table_name,
    }),
  ),
]
