import type { SchemaDiagram } from '@trellis/contract/explorer/explorer.schemas'
import { readSchemaDiagram } from '@trellis/workspace-db/catalogue/schema-diagram'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { getSchema, withReaderSession } from './open-session.service.ts'

export async function getSchemaDiagram(
  ctx: WorkspaceCtx,
  params: { integration_trellis_code: string; schema_name: string },
): Promise<SchemaDiagram> {
  const target = { integrationCode: params.integration_trellis_code }
  return await withReaderSession(ctx, target, async (session) => {
    const schema = await getSchema(session, params.schema_name)
    const { tables, keys, isCut } = await readSchemaDiagram(session, schema)
    return {
      tables: tables.map(({ name, kind, columns }) => ({
        name,
        kind,
        columns: columns.map((column) => ({
          name: column.name,
          type: column.type,
          is_nullable: column.isNullable,
          is_primary_key: column.isPrimaryKey,
        })),
      })),
      foreign_keys: keys.map((key) => ({
        name: key.name,
        table_name: key.table,
        columns: [...key.columns],
        other_schema_name: key.otherSchema,
        other_table_name: key.otherTable,
        other_columns: [...key.otherColumns],
      })),
      is_cut: isCut,
    }
  })
}
