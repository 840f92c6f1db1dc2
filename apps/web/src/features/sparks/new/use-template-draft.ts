import type { SparkTemplates } from '@trellis/contract/sparks/sparks.schemas'
import { useState } from 'react'
import { useTableDetails } from '../../explorer/explorer.queries.ts'
import { type ProjectTable, useProjectTableList } from '../project-tables.queries.ts'
import { useSparks } from '../use-sparks.ts'
import { guessColumns } from './guess-columns.ts'

export type Template = SparkTemplates['templates'][number]

const toAddress = ({ integration_trellis_code: database, schema_name: schema, table_name: table }: ProjectTable) => ({
  database,
  schema,
  table,
})

export function useTemplateDraft({ fields }: Template, project: string) {
  const { params } = useSparks()
  const { tables, isLoading: areTablesLoading } = useProjectTableList(params, project)
  const [tableKey, setTableKey] = useState('')
  const [changedColumns, setColumns] = useState<Record<string, string[]> | null>(null)
  const table = tables.find(({ key }) => key === tableKey)
  const details = useTableDetails(params, table ? toAddress(table) : null)
  const columns = changedColumns ?? (details.data && guessColumns(fields, details.data.columns))
  const values = table &&
    columns && {
      integration_trellis_code: table.integration_trellis_code,
      schema_name: table.schema_name,
      table_name: table.table_name,
      columns,
    }
  return {
    tables,
    areTablesLoading,
    table,
    details,
    values,
    missing: fields.filter(({ key, is_required }) => is_required && !columns?.[key]?.length),
    setColumns,
    choose: (key: string) => {
      setTableKey(key)
      setColumns(null)
    },
  }
}

export type TemplateDraft = ReturnType<typeof useTemplateDraft>
