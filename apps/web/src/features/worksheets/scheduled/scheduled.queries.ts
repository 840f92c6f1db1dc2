import { getCanvas } from '@trellis/contract/dataflows/canvas.endpoints'
import { getFolderStructure } from '@trellis/contract/dataflows/dataflows.endpoints'
import * as scheduled from '@trellis/contract/worksheets/scheduled.endpoints'
import type { BlockWorksheet } from '@trellis/contract/worksheets/scheduled.schemas'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { apiQuery, useApiMutation, withDetail } from '../../../api/api-query.ts'
import { useWorksheets } from '../use-worksheets.ts'

export function useRunAsDataflow() {
  return useApiMutation(scheduled.runAsDataflow, {
    invalidates: [getFolderStructure, getCanvas, scheduled.listWorksheetBlocks],
  })
}

export function usePushPlan(params: WorkspaceAddress, projectId: string) {
  return useQuery({
    ...apiQuery(scheduled.getPushPlan, { params: { ...params, project_id: projectId } }),
    staleTime: 0,
  })
}

export function useWorksheetBlocks(params: WorkspaceAddress, address: { projectId: string; fileId: string }) {
  const all = { ...params, project_id: address.projectId, file_id: address.fileId }
  return useQuery({ ...apiQuery(scheduled.listWorksheetBlocks, { params: all }), staleTime: 0 })
}

const blockParams = (params: WorkspaceAddress, block: string) => ({ ...params, task_block_trellis_code: block })

export function useBlockWorksheet(block: string) {
  const { params, paths } = useWorksheets()
  const query = useQuery({
    ...apiQuery(scheduled.getBlockWorksheet, { params: blockParams(params, block) }),
    staleTime: 0,
  })
  const getPath = ({ project_id, folder_id, file_id, name }: BlockWorksheet) =>
    paths.worksheet({ projectId: project_id, folderId: folder_id, fileId: file_id, name })
  return { query, getPath }
}

const CHANGED = [scheduled.listWorksheetBlocks, getCanvas]

export function useUpdateFromWorksheet(block: string) {
  const { params } = useWorksheets()
  const update = useApiMutation(scheduled.updateFromWorksheet, {
    invalidates: [...CHANGED, scheduled.getBlockWorksheet],
    successText: 'The draft has the published version of the worksheet. Publish the block to run it.',
    errorText: withDetail('The block was not updated.'),
  })
  return {
    isPending: update.isPending,
    run: (version: number, onSuccess: () => void) =>
      update.mutate({ params: blockParams(params, block), body: { version } }, { onSuccess }),
  }
}

export function useUnlinkWorksheet(block: string) {
  const { params } = useWorksheets()
  const unlink = useApiMutation(scheduled.unlinkWorksheet, {
    invalidates: CHANGED,
    successText: 'The SQL belongs to the block now.',
    errorText: withDetail('The worksheet was not unlinked.'),
  })
  return {
    isPending: unlink.isPending,
    run: (version: number, onSuccess: () => void) =>
      unlink.mutate({ params: blockParams(params, block), body: { version } }, { onSuccess }),
  }
}
