import { useMemo } from 'react'
import { useCan, useCurrentWorkspace } from '../accounts/accounts.queries.ts'

const part = encodeURIComponent

interface WorksheetLocation {
  projectId: string
  folderId: string
  fileId: string
  name: string
}

function queryPaths(workspacePath: string) {
  const root = `${workspacePath}/explorer`
  return {
    running: `${root}/queries`,
    history: `${root}/queries/history`,
    limits: `${root}/queries/limits`,
    worksheet: ({ projectId, folderId, fileId, name }: WorksheetLocation) =>
      `${root}/project/${part(projectId)}/folder/${part(folderId)}/worksheet/${part(fileId)}/${part(name)}/code-editor`,
  }
}

export function useSqlScope() {
  const { params, home } = useCurrentWorkspace()
  const paths = useMemo(() => queryPaths(home), [home])
  const can = useCan()
  return { params, paths, can }
}
