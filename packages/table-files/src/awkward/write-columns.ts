import type { SchemaElement } from 'hyparquet'
import { ByteWriter, parquetWrite } from 'hyparquet-writer'

export type Element = Omit<SchemaElement, 'name'>

export async function writeColumns(
  columns: Readonly<Record<string, { schema: readonly SchemaElement[]; data: unknown[] }>>,
): Promise<Uint8Array> {
  const writer = new ByteWriter()
  const root: SchemaElement = { name: 'root', num_children: Object.keys(columns).length }
  const columnData = Object.entries(columns).map(([name, { data }]) => ({ name, data: data as never[] }))
  const named = Object.entries(columns).flatMap(([name, { schema }]) =>
    schema.map((element, at) => (at === 0 ? { ...element, name } : element)),
  )
  await parquetWrite({ writer, columnData, schema: [root, ...named] })
  return new Uint8Array(writer.getBuffer())
}

export const leaf = (element: Element, data: unknown[]) => ({
  schema: [{ name: 'v', repetition_type: 'OPTIONAL' as const, ...element }],
  data,
})
