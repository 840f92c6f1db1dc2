import { deleteSchema, deleteTable } from '@trellis/contract/explorer/explorer.endpoints'
import * as calls from '@trellis/contract/explorer/recycle-bin.endpoints'
import { handle } from '../../http/handle.ts'
import { deleteToBin } from './delete-to-bin.service.ts'
import { listDeletions, purgeDeletion, restoreDeletion } from './recycle-bin.ts'

export const recycleBinRoutes = [
  handle(deleteSchema, ({ query }, ctx) =>
    deleteToBin(ctx, { integrationCode: query.integration_trellis_code, schema: query.schema_name }, query),
  ),
  handle(deleteTable, ({ query }, ctx) =>
    deleteToBin(
      ctx,
      { integrationCode: query.integration_trellis_code, schema: query.schema_name, table: query.table_name },
      query,
    ),
  ),
  handle(calls.listDeletions, (_, ctx) => listDeletions(ctx)),
  handle(calls.restoreDeletion, ({ params, body }, ctx) => restoreDeletion(ctx, params.deletion_code, body.new_name)),
  handle(calls.purgeDeletion, ({ params }, ctx) => purgeDeletion(ctx, params.deletion_code)),
]
