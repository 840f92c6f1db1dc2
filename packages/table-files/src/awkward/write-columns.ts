import { type SchemaElement, parquetMetadata } from 'hyparquet'
import { ByteWriter, parquetWrite } from 'hyparquet-writer'
import { writeMetadata } from 'hyparquet-writer/src/metadata.js'

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

/** Spark and Hive before 2019 write timestamps as INT96: nanoseconds of the day, then the Julian day. */
export async function writeInt96(moments: readonly (readonly [bigint, number] | null)[]): Promise<Uint8Array> {
  const data = moments.map((moment) => {
    if (moment === null) return null
    const bytes = Buffer.alloc(12)
    bytes.writeBigUInt64LE(moment[0])
    bytes.writeUInt32LE(moment[1], 8)
    return new Uint8Array(bytes)
  })
  const file = await writeColumns({ v: createLeaf({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12 }, data) })
  const metadata = parquetMetadata(file.slice().buffer)
  for (const element of metadata.schema) if (element.type !== undefined) element.type = 'INT96'
  for (const { meta_data } of metadata.row_groups.flatMap(({ columns }) => columns)) {
    if (!meta_data) continue
    meta_data.type = 'INT96'
    delete meta_data.statistics
  }
  const footer = Buffer.from(file).readUInt32LE(file.length - 8)
  const writer = new ByteWriter()
  writer.appendBytes(file.subarray(0, file.length - 8 - footer))
  writeMetadata(writer, metadata)
  writer.appendBytes(Buffer.from('PAR1'))
  return new Uint8Array(writer.getBuffer())
}

export const createLeaf = (element: Element, data: unknown[]) => ({
  schema: [{ name: 'v', repetition_type: 'OPTIONAL' as const, ...element }],
  data,
})
