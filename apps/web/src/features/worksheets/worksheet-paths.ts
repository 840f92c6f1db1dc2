import { ROOT_FOLDER_ID } from '@trellis/contract/worksheets/worksheets.schemas'

const part = encodeURIComponent

export interface WorksheetAddress {
  projectId: string
  folderId?: string
  fileId: string
  name: string
}

/** The file is found by id; the name is for people. */
export function worksheetPaths(workspacePath: string) {
  const root = `${workspacePath}/explorer`
  return {
    list: `${root}/worksheets`,
    empty: `${root}/worksheets/empty`,
    worksheet: ({ projectId, folderId = ROOT_FOLDER_ID, fileId, name }: WorksheetAddress) =>
      `${root}/project/${part(projectId)}/folder/${part(folderId)}/worksheet/${part(fileId)}/${part(name)}/code-editor`,
  }
}
