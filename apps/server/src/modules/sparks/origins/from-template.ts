import type { SparkContent } from '@trellis/contract/sparks/spark-content.schemas'
import type { SparkOrigin } from '@trellis/contract/sparks/sparks.schemas'
import type { DescribedTable } from '@trellis/workspace-db/catalogue/read-tables'
import { quoteName } from '@trellis/sql-grammar/quote-name'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { describeProjectTable } from '../../ai/guarded-query.service.ts'
import { getTemplate } from '../templates/all-templates.ts'
import { type Template, type TemplateColumn, toContent } from '../templates/template.ts'
import type { Project } from './built-content.ts'

type TemplateOrigin = Extract<SparkOrigin, { kind: 'template' }>

export async function buildFromTemplate(
  ctx: WorkspaceCtx,
  project: Project,
  { template: code, values }: TemplateOrigin,
): Promise<SparkContent> {
  const { integration_trellis_code: integrationCode, schema_name: schema, table_name } = values
  const place = { projectId: project.id, integrationCode, signal: ctx.http.signal }
  const table = await describeProjectTable(ctx, place, { schema, name: table_name })
  if (!table) {
    throw new AppError(
      'invalid_request',
      `The table ${schema}.${table_name} is not one of the tables of this project.`,
      {
        source: { pointer: '/origin/values/table_name' },
      },
    )
  }
  return fillTemplate(getTemplate(code), table, { integrationCode, columns: values.columns })
}

/** Column names come from the catalogue, never from the request. */
function fillTemplate(
  template: Template,
  table: DescribedTable,
  { integrationCode, columns }: { integrationCode: string; columns: Readonly<Record<string, readonly string[]>> },
): SparkContent {
  const chosen = new Map<string, readonly TemplateColumn[]>()
  for (const field of template.fields) {
    const names = Object.hasOwn(columns, field.key) ? [...new Set(columns[field.key] ?? [])] : []
    const describedColumns = names.map((name) => findColumn(table, field, name))
    if (field.is_required && describedColumns.length === 0)
      throw invalidColumnError(field.key, `Choose a column for “${field.label}”.`)
    if (!field.is_list && describedColumns.length > 1)
      throw invalidColumnError(field.key, `Choose one column for “${field.label}”.`)
    chosen.set(field.key, describedColumns)
  }
  const filledTemplate = template.build({
    table,
    from: `${quoteName(table.schema)}.${quoteName(table.name)}`,
    columns: (key) => chosen.get(key) ?? [],
    column: (key) => chosen.get(key)?.[0],
  })
  return toContent(filledTemplate, integrationCode)
}

type Field = Template['fields'][number]

function findColumn(table: DescribedTable, field: Field, name: string): TemplateColumn {
  const column = table.columns.find((describedColumn) => describedColumn.name === name)
  if (!column) throw invalidColumnError(field.key, `There is no column ${name} in ${table.schema}.${table.name}.`)
  if (field.kinds.some((kind) => isOfKind(column, kind))) return column
  throw invalidColumnError(field.key, `The column ${name} can not be used for “${field.label}”.`)
}

function isOfKind({ kind }: TemplateColumn, fieldKind: Field['kinds'][number]): boolean {
  if (fieldKind === 'any') return true
  if (fieldKind === 'number') return kind === 'integer' || kind === 'number'
  if (fieldKind === 'time') return kind === 'date' || kind === 'timestamp'
  return kind !== 'other'
}

const invalidColumnError = (key: string, message: string) =>
  new AppError('invalid_request', message, { source: { pointer: `/origin/values/columns/${key}` } })
