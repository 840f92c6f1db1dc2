import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import type { WorksheetChart } from '@trellis/contract/worksheets/charts.endpoints'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { listWorkingPaths, fileNotFoundError, readBranch } from '../branch-state.ts'
import {
  type ChartLocation,
  type ChartRow,
  deleteOwnChart,
  findCharts,
  putChart,
  shareCharts,
} from './charts.repository.ts'

interface FileAt {
  readonly project_id: string
  readonly file_id: string
}
type ChartAt = FileAt & { readonly statement: number }

export async function listCharts(ctx: WorkspaceCtx, at: FileAt): Promise<WorksheetChart[]> {
  const rows = await findCharts(ctx, await getFile(ctx, at))
  return rows.map(toChart)
}

export async function saveChart(ctx: WorkspaceCtx, { spec, ...at }: ChartAt & { spec: ChartSpec }) {
  const place = { ...(await getFile(ctx, at)), statement: at.statement }
  await putChart(ctx, place, spec)
  return await getChart(ctx, place, false)
}

export async function shareChart(ctx: WorkspaceCtx, at: ChartAt): Promise<WorksheetChart> {
  return await transaction(ctx, async (ctx) => {
    const place = { ...(await getFile(ctx, at)), statement: at.statement }
    const { projectId, fileId, statement } = place
    const count = await shareCharts(ctx, { projectId, fileIds: [fileId], statement })
    if (count === 0) throw chartNotFoundError()
    ctx.http.addAuditDetail({ what: 'shared a chart of a worksheet' })
    return await getChart(ctx, place, true)
  })
}

export async function deleteChart(ctx: WorkspaceCtx, at: ChartAt): Promise<{ done: true }> {
  await deleteOwnChart(ctx, { ...(await getFile(ctx, at)), statement: at.statement })
  return { done: true }
}

const chartNotFoundError = () => new AppError('not_found', 'There is no such chart.')

async function getFile(ctx: WorkspaceCtx, { project_id, file_id }: FileAt) {
  const state = await readBranch(ctx, project_id)
  if (!listWorkingPaths(state).has(file_id)) throw fileNotFoundError()
  return { projectId: state.project.id, fileId: file_id }
}

async function getChart(ctx: WorkspaceCtx, location: ChartLocation, isShared: boolean): Promise<WorksheetChart> {
  const rows = await findCharts(ctx, location)
  const row = rows.find((row) => row.statement === location.statement && (row.profile_id === null) === isShared)
  if (!row) throw chartNotFoundError()
  return toChart(row)
}

function toChart({ statement, profile_id, spec, saved_at, first_name, surname }: ChartRow): WorksheetChart {
  return {
    statement,
    spec,
    is_shared: profile_id === null,
    saved_by: first_name === null ? null : `${first_name} ${surname ?? ''}`.trim(),
    saved_at: saved_at.toISOString(),
  }
}
