import { getCanvas } from '@trellis/contract/dataflows/canvas.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery } from '../../api/api-query.ts'

export const canvasQuery = (params: WorkspaceAddress, dataflow: string) =>
  apiQuery(getCanvas, { params: { ...params, dataflow_trellis_code: dataflow } })

export function useCanvas(params: WorkspaceAddress, dataflow: string) {
  return useQuery({ ...canvasQuery(params, dataflow), staleTime: 0 })
}
