import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createWorksheet, listProjectFiles } from '@trellis/contract/worksheets/projects.endpoints'
import { useNavigate } from 'react-router'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { toDatabaseKey } from '../../worksheets/worksheets.queries.ts'
import { useAi } from '../use-ai.ts'

class NoProjectError extends Error {}

export function useOpenAsWorksheet() {
  const { params, paths } = useAi()
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ sql, database }: { sql: string; database: string }) => {
      const [project] = await call(listProjectFiles, { params })
      if (!project) throw new NoProjectError()
      const { project_id } = project
      const body = { project_id, name: buildFileName(new Date()), content: sql }
      const file = await call(createWorksheet, { params, body })
      localStorage.setItem(toDatabaseKey(file.file_id), database)
      return { projectId: project_id, folderId: file.folder_id, fileId: file.file_id, name: file.name }
    },
    meta: { texts: { errorText: describeFailure } },
    onSuccess: async (worksheet) => {
      await client.invalidateQueries({ queryKey: [listProjectFiles.id] })
      await navigate(paths.worksheet(worksheet))
    },
  })
}

function describeFailure(error: Error): string {
  if (error instanceof NoProjectError) return 'There is no worksheet project yet. Create one under Worksheets first.'
  return `The worksheet could not be created.${error instanceof ApiError ? ` ${error.detail}` : ''}`
}

const buildFileName = (now: Date): string =>
  `answer-${now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.sql`
