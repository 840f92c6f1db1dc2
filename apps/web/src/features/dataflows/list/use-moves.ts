import type { Folder } from '@trellis/contract/dataflows/dataflows.schemas'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { useDataflowsScope, useUpdateDataflow, useUpdateFolder } from '../dataflows.queries.ts'
import { canMoveFolder, formatFolderPath } from './folder-tree.ts'

/** Resolves to true on success. */
export function useMoves(folders: readonly Folder[]) {
  const { address } = useDataflowsScope()
  const updateDataflow = useUpdateDataflow()
  const updateFolder = useUpdateFolder()
  const told = (into: string | null) =>
    showToast({
      tone: 'success',
      text: into === null ? 'Moved out of all folders.' : `Moved to ${formatFolderPath(folders, into)}.`,
    })
  const attempt = async (work: Promise<unknown>, into: string | null) => {
    try {
      await work
      told(into)
      return true
    } catch {
      return false
    }
  }
  return {
    isBusy: updateDataflow.isPending || updateFolder.isPending,
    moveDataflow: (code: string, into: string | null) =>
      attempt(
        updateDataflow.mutateAsync({
          params: { ...address, relative_trellis_code: code },
          body: { folder_trellis_code: into },
        }),
        into,
      ),
    moveFolder: async (code: string, into: string | null) =>
      canMoveFolder(folders, code, into) &&
      (await attempt(
        updateFolder.mutateAsync({ params: { ...address, trellis_code: code }, body: { parent_trellis_code: into } }),
        into,
      )),
  }
}
