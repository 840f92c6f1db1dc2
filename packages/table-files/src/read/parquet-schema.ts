import type { FileMetaData, SchemaElement } from 'hyparquet'
import type { TypeName } from '../values/type-names.ts'
import { type LeafWriter, toLeafWriter } from './parquet-values.ts'

export interface ParquetColumn {
  readonly name: string
  readonly type: TypeName
  readonly toText: (value: unknown) => string
  readonly toExact?: LeafWriter['toExact']
  readonly note?: string
}

interface Node {
  readonly element: SchemaElement
  readonly children: readonly Node[]
}

/** Nested columns become JSON. Modifies the schema, see `toLeafWriter`. */
export function readSchema({ schema }: FileMetaData): ParquetColumn[] {
  let at = 0
  const build = (): Node => {
    const element = schema[at] as SchemaElement
    at += 1
    return { element, children: Array.from({ length: element?.num_children ?? 0 }, build) }
  }
  return build().children.map((node) => {
    const { name, repetition_type } = node.element
    if (node.children.length === 0 && repetition_type !== 'REPEATED') {
      const { type, toText, toExact, note } = toLeafWriter(node.element)
      return { name, type, toText, ...(toExact && { toExact }), ...(note !== undefined && { note }) }
    }
    return { name, type: 'json', toText: toJson(node) }
  })
}

type ToJson = (value: unknown) => string

const orNull =
  (write: ToJson): ToJson =>
  (value) =>
    value === null || value === undefined ? 'null' : write(value)

/** Written by schema, as JavaScript numbers would lose digits. */
function toJson(node: Node): ToJson {
  const write = writeNode(node)
  if (node.element.repetition_type !== 'REPEATED') return write
  const each = orNull(write)
  return (value) => writeList(value, each)
}

function writeNode(node: Node): ToJson {
  const { element, children } = node
  const [only] = children
  if (!only) return leafJson(toLeafWriter(element))
  const kind = element.logical_type?.type ?? element.converted_type
  if (kind === 'VARIANT') return variantJson
  if (kind === 'LIST' || kind === 'MAP') element.converted_type = kind
  const isRepeated = children.length === 1 && only.element.repetition_type === 'REPEATED'
  if (kind === 'LIST' && isRepeated && only.children.length <= 1) return listJson(only)
  if (kind === 'MAP' && isRepeated && only.children.length === 2) return mapJson(only)
  const parts = children.map((child) => ({ name: child.element.name, write: orNull(toJson(child)) }))
  return (value) => {
    const found = value as Record<string, unknown>
    return `{${parts.map(({ name, write }) => `${JSON.stringify(name)}:${write(found[name])}`).join(',')}}`
  }
}

const leafJson =
  ({ toText, toExact, isBare, type }: LeafWriter): ToJson =>
  (value) => {
    const text = toExact?.(value) ?? toText(value)
    // JSON has no NaN.
    const isNumber = isBare && (type === 'json' || !/^(?:NaN|-?Infinity)$/.test(text))
    return isNumber ? text : JSON.stringify(text)
  }

/** Older writers omit the inner group. */
function listJson(repeated: Node): ToJson {
  const [element] = repeated.children
  const each = orNull(repeated.children.length === 1 && element ? toJson(element) : writeNode(repeated))
  return (value) => writeList(value, each)
}

function mapJson(entry: Node): ToJson {
  const [, part] = entry.children
  const write = orNull(part ? toJson(part) : () => 'null')
  const key = entry.children[0] && toLeafWriter(entry.children[0].element)
  return (value) => {
    const pairs: [unknown, unknown][] =
      value instanceof Map ? [...value] : Object.entries(value as Record<string, unknown>)
    const toKey = (name: unknown) => (typeof name === 'string' ? name : (key?.toText(name) ?? String(name)))
    return `{${pairs.map(([name, one]) => `${JSON.stringify(toKey(name))}:${write(one)}`).join(',')}}`
  }
}

type ExactJson = typeof JSON & { rawJSON(text: string): object }

const variantJson: ToJson = (value) =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? (JSON as ExactJson).rawJSON(String(part)) : part,
  )

function writeList(value: unknown, each: ToJson): string {
  const items = Array.isArray(value)
    ? value
    : ArrayBuffer.isView(value)
      ? Array.from(value as unknown as number[])
      : [value]
  return `[${items.map(each).join(',')}]`
}
