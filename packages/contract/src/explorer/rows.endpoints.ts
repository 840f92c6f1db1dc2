import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { FileAnswer, WorkspaceParams } from '../core/shapes.ts'
import * as schemas from './explorer.schemas.ts'

const feature = 'explorer'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/database-manager'

export const previewTable = defineEndpoint({
  id: 'previewTable',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/schema/table/preview/:integration_trellis_code/:schema_name/:table_name`,
  summary: 'Rows of a table, a page at a time, without counting them',
  params: schemas.TableParams,
  query: schemas.PreviewQuery,
  response: schemas.Preview,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'statement_timeout', 'unavailable'],
})
export const getCell = defineEndpoint({
  id: 'getCell',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/schema/table/cell/:integration_trellis_code/:schema_name/:table_name`,
  summary: 'One whole cell that the preview had to cut',
  params: schemas.TableParams,
  query: schemas.CellQuery,
  response: schemas.Cell,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'statement_timeout', 'unavailable'],
})
export const countRows = defineEndpoint({
  id: 'countRows',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/schema/table/count/:integration_trellis_code/:schema_name/:table_name`,
  summary: 'The exact number of rows; counting ends when the caller goes away',
  params: schemas.TableParams,
  query: schemas.CountQuery,
  response: schemas.RowCount,
  errors: ['not_found', 'integration_problem', 'integration_incomplete', 'statement_timeout', 'unavailable'],
})
export const exportTable = defineEndpoint({
  id: 'exportTable',
  feature,
  permission: 'explorer:read',
  method: 'POST',
  path: `${base}/schema/table/export/:integration_trellis_code/:schema_name/:table_name`,
  summary: 'Start writing a table to a file',
  params: schemas.TableParams,
  query: schemas.ExportQuery,
  body: schemas.ExportRequest,
  response: schemas.ExportJob,
  creates: true,
  errors: ['not_found', 'conflict', 'integration_problem', 'integration_incomplete', 'disk_full', 'unavailable'],
  worksWhenPlanIsOver: true,
})
export const listExports = defineEndpoint({
  id: 'listExports',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/exports`,
  summary: 'My exports of the last days',
  params: WorkspaceParams,
  response: z.array(schemas.ExportJob),
})
export const getExport = defineEndpoint({
  id: 'getExport',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/exports/:job_id`,
  summary: 'How far an export is',
  params: schemas.ExportParams,
  response: schemas.ExportJob,
  errors: ['not_found'],
})
export const cancelExport = defineEndpoint({
  id: 'cancelExport',
  feature,
  permission: 'explorer:read',
  method: 'DELETE',
  path: `${base}/exports/:job_id`,
  summary: 'Stop an export and remove its file',
  params: schemas.ExportParams,
  response: schemas.ExportJob,
  errors: ['not_found'],
})
export const downloadExport = defineEndpoint({
  id: 'downloadExport',
  feature,
  permission: 'explorer:read',
  method: 'GET',
  path: `${base}/exports/:job_id/file`,
  summary: 'The file of an export; a broken download can go on where it stopped',
  params: schemas.ExportParams,
  response: FileAnswer,
  errors: ['not_found', 'conflict'],
  sends: 'file',
})

export const rowsEndpoints = [
  previewTable,
  getCell,
  countRows,
  exportTable,
  listExports,
  getExport,
  cancelExport,
  downloadExport,
]
