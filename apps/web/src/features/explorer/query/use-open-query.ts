import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getUserFile } from '@trellis/contract/worksheets/branches.endpoints'
import { createWorksheet, listProjectFiles } from '@trellis/contract/worksheets/projects.endpoints'
import type { ProjectFiles } from '@trellis/contract/worksheets/worksheets.schemas'
import type * as z from 'zod/mini'
import { call } from '../../../api/call.ts'
import type { TableAddress } from '../explorer-paths.ts'
import { useExplorer } from '../use-explorer.ts'
import { buildSelect, findFreeName } from './select-text.ts'

interface QueryRequest {
  project: z.infer<typeof ProjectFiles>
  table: TableAddress
  columns: readonly string[]
}

/** Reuses an earlier worksheet that was not edited. */
export function useOpenQuery() {
  const { params } = useExplorer()
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ project, table, columns }: QueryRequest) => {
      const { project_id } = project
      const content = buildSelect({ schema: table.schema, name: table.table, columns })
      const inRoot = project.user.files.filter(({ path, name }) => path === name)
      const name = findFreeName(
        table.table,
        inRoot.map((file) => file.name),
      )
      const stem = findFreeName(table.table, []).slice(0, -'.sql'.length)
      const earlier = inRoot
        .filter((file) => file.change === 'added' && file.name.startsWith(stem))
        .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))[0]
      if (earlier) {
        const file = await call(getUserFile, { params: { ...params, project_id, file_id: earlier.file_id } })
        if (file.content === content) return file
      }
      return await call(createWorksheet, { params, body: { project_id, name, content } })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: [listProjectFiles.id] }),
  })
}
