import * as z from 'zod/mini'
import { ChartSpec } from '../charts/charts.schemas.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { Done, Instant, WorkspaceParams } from '../core/shapes.ts'
import { FileParams, FileRef } from './worksheets.schemas.ts'

const feature = 'worksheets'
const base = '/:account_trellis_code/:workspace_address/tdb-explorer/project-manager'
const draft = { feature, permission: 'worksheets:draft', params: WorkspaceParams } as const

/** Index of the statement in the file, from 0. */
const StatementNumber = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(99))
const ChartRef = z.extend(FileRef, { statement: StatementNumber })
export const WorksheetChart = z.object({
  statement: z.int(),
  spec: ChartSpec,
  /** A personal chart hides the shared one. */
  is_shared: z.boolean(),
  saved_by: z.nullable(z.string()),
  saved_at: Instant,
})
export type WorksheetChart = z.infer<typeof WorksheetChart>

export const listWorksheetCharts = defineEndpoint({
  feature,
  permission: 'worksheets:read',
  method: 'GET',
  id: 'listWorksheetCharts',
  path: `${base}/project/:project_id/user_file/:file_id/charts`,
  summary: 'Charts of a file: mine, and those that everybody in the project sees',
  params: FileParams,
  response: z.array(WorksheetChart),
  errors: ['not_found'],
})
export const saveWorksheetChart = defineEndpoint({
  ...draft,
  id: 'saveWorksheetChart',
  method: 'PUT',
  path: `${base}/project/file/chart`,
  summary: 'Save how I see the result of a statement as a chart',
  body: z.extend(ChartRef, { spec: ChartSpec }),
  response: WorksheetChart,
  quiet: true,
  errors: ['not_found'],
})
export const shareWorksheetChart = defineEndpoint({
  feature,
  permission: 'worksheets:publish',
  params: WorkspaceParams,
  id: 'shareWorksheetChart',
  method: 'POST',
  path: `${base}/project/file/chart/share`,
  summary: 'Show my chart to everybody in the project; a push of the file does so as well',
  body: ChartRef,
  response: WorksheetChart,
  errors: ['not_found'],
})
export const deleteWorksheetChart = defineEndpoint({
  ...draft,
  id: 'deleteWorksheetChart',
  method: 'DELETE',
  path: `${base}/project/file/chart`,
  summary: 'Delete my chart of a statement; the shared one stays',
  query: ChartRef,
  response: Done,
  quiet: true,
  errors: ['not_found'],
})

export const worksheetChartsEndpoints = [
  listWorksheetCharts,
  saveWorksheetChart,
  shareWorksheetChart,
  deleteWorksheetChart,
]
