import { HOME_SCHEMA } from '@trellis/contract/dataflows/dataflow-words'
import type { OutsideSchemas } from '@trellis/contract/integrations/integrations.schemas'

type Schemas = OutsideSchemas['schemas']

interface TableName {
  schema: string
  table: string
}

const MAX_TABLES = 8

/** `schema.table`, or the bare name in the default schema. */
export function listNamedTables(sql: string, schemas: Schemas): TableName[] {
  const words = new Set(sql.toLowerCase().match(/[\w$]+(?:"?\."?[\w$]+)*/g) ?? [])
  const plain = new Set([...words].map((word) => word.replaceAll('"', '')))
  const tableNames: TableName[] = []
  for (const { name: schema, tables } of schemas) {
    for (const { name: table } of tables) {
      const full = `${schema}.${table}`.toLowerCase()
      const isNamed = plain.has(full) || (schema === HOME_SCHEMA && plain.has(table.toLowerCase()))
      if (isNamed && tableNames.length < MAX_TABLES) tableNames.push({ schema, table })
    }
  }
  return tableNames
}
