import { checkSparkSource } from '@trellis/contract/sparks/sparks.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../../api/api-query.ts'
import { useSettled } from '../../../ui/data/use-settled.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { QueryPreviewTable } from '../QueryPreviewTable.tsx'
import type { ProjectTable } from '../project-tables.queries.ts'
import { useSparks } from '../use-sparks.ts'

const MAX_ROWS = 20
const SETTLE_MS = 400
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

interface ColumnsPreviewProps {
  project: string
  table: ProjectTable
  columns: readonly string[]
}

export function ColumnsPreview({ project, table, columns }: ColumnsPreviewProps) {
  const { params } = useSparks()
  const { integration_trellis_code, schema_name, table_name } = table
  const list = [...new Set(columns)].map(quote).join(', ')
  const sql = useSettled(`select ${list} from ${quote(schema_name)}.${quote(table_name)} limit ${MAX_ROWS}`, SETTLE_MS)
  const source = { key: 'preview', name: 'Preview', integration_trellis_code, sql, max_age_seconds: 0 }
  const previewQuery = useQuery(
    apiQuery(checkSparkSource, {
      params,
      body: { project_trellis_code: project, source, parameters: [], values: {} },
    }),
  )
  if (previewQuery.isError) return <Banner tone="warning">{previewQuery.error.message}</Banner>
  if (!previewQuery.data) return <Skeleton height={120} />
  if (previewQuery.data.problem) return <Banner tone="warning">{previewQuery.data.problem.message}</Banner>
  return <QueryPreviewTable columns={previewQuery.data.columns} rows={previewQuery.data.rows} />
}
