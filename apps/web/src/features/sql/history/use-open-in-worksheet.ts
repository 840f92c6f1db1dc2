import { useNavigate } from 'react-router'
import { useCreateWorksheet, useProjectFiles } from '../../worksheets/worksheets.queries.ts'
import { useSqlScope } from '../use-sql-scope.ts'

/** Creates a worksheet with the query when the original was deleted. */
export function useOpenInWorksheet() {
  const { params, paths } = useSqlScope()
  const navigate = useNavigate()
  const projects = useProjectFiles(params)
  const create = useCreateWorksheet()
  const first = projects.data?.[0]

  function open({ sql, fileId }: { sql: string; fileId: string | null }): void {
    for (const { project_id, user } of projects.data ?? []) {
      const file = user.files.find(({ file_id }) => file_id === fileId)
      if (!file) continue
      const { folder_id, file_id, name } = file
      void navigate(paths.worksheet({ projectId: project_id, folderId: folder_id, fileId: file_id, name }))
      return
    }
    if (!first) return
    const projectId = first.project_id
    const name = nameFile(new Date())
    create.mutate(
      { params, body: { project_id: projectId, name, content: sql } },
      {
        onSuccess: ({ folder_id, file_id }) =>
          void navigate(paths.worksheet({ projectId, folderId: folder_id, fileId: file_id, name })),
      },
    )
  }

  return { open, canOpen: first !== undefined, isBusy: create.isPending }
}

/** `query-2026-11-16-0930-12.sql`: unique within a second. */
const nameFile = (now: Date): string =>
  `query-${now.toISOString().slice(0, 19).replace('T', '-').replace(':', '').replace(':', '-')}.sql`
