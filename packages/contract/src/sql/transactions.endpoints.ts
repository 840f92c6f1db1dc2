import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { WorkspaceParams } from '../core/shapes.ts'
import { FileId } from '../worksheets/worksheets.schemas.ts'
import { EndTransaction, LastTransaction, SqlTransaction } from './transactions.schemas.ts'

const feature = 'sql'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/sql-executor/transactions/:file_id'
const params = z.extend(WorkspaceParams, { file_id: FileId })

export const getSqlTransaction = defineEndpoint({
  feature,
  permission: 'sql:run',
  method: 'GET',
  id: 'getSqlTransaction',
  path: base,
  summary: 'My transaction of a worksheet in manual commit mode',
  params,
  response: LastTransaction,
})
export const endSqlTransaction = defineEndpoint({
  feature,
  permission: 'sql:run',
  method: 'POST',
  id: 'endSqlTransaction',
  path: `${base}/end`,
  summary: 'Commit or roll back my transaction of a worksheet',
  params,
  body: EndTransaction,
  response: SqlTransaction,
  worksWhenPlanIsOver: true,
  errors: ['not_found', 'conflict', 'unavailable'],
})

export const transactionEndpoints = [getSqlTransaction, endSqlTransaction]
