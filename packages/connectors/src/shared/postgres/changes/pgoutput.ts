import type { ChangedValue, RowChange } from '@trellis/connector-kit/change-log'
import { formatLogTime } from './lsn.ts'

export interface Relation {
  readonly schema: string
  readonly table: string
  readonly columns: readonly { readonly name: string; readonly typeId: number }[]
}

export interface DecoderOptions {
  readonly fields: readonly string[]
  readonly key: readonly number[]
  readonly onRelation: (relation: Relation) => void
  /** `commit`: LSN of the commit record. */
  readonly onBegin: (commit: bigint) => void
  readonly onChange: (change: RowChange) => void
  /** `end`: LSN after the commit. */
  readonly onCommit: (end: bigint) => void
}

interface RelationMapping {
  readonly places: readonly number[]
}

const [BEGIN, COMMIT, RELATION, INSERT, UPDATE, DELETE, TRUNCATE] = [0x42, 0x43, 0x52, 0x49, 0x55, 0x44, 0x54]
const [OLD_KEY, OLD_ROW] = [0x4b, 0x4f]
const [NULL, UNCHANGED] = [0x6e, 0x75]

type Cells = ChangedValue[]

/** pgoutput, protocol version 1, text format. */
export function createDecoder(options: DecoderOptions): (message: Buffer) => void {
  const { fields, key, onRelation, onBegin, onChange, onCommit } = options
  const relations = new Map<number, RelationMapping>()
  let bytes: Buffer = Buffer.alloc(0)
  let at = 0
  let committedAt = ''

  const readText = () => {
    const end = bytes.indexOf(0, at)
    const text = bytes.toString('utf8', at, end)
    at = end + 1
    return text
  }
  const relationAt = (index: number): RelationMapping => {
    const knownRelationMapping = relations.get(bytes.readUInt32BE(index))
    if (!knownRelationMapping) throw new Error('The log names a table it has not described.')
    return knownRelationMapping
  }
  const readRow = ({ places }: RelationMapping): Cells => {
    const row: Cells = Array.from({ length: fields.length }, () => undefined)
    const count = bytes.readUInt16BE(at)
    at += 2
    for (let column = 0; column < count; column += 1) {
      const kind = bytes[at]
      at += 1
      if (kind === UNCHANGED) continue
      const index = places[column] ?? -1
      if (kind === NULL) {
        if (index >= 0) row[index] = null
        continue
      }
      const length = bytes.readUInt32BE(at)
      if (index >= 0) row[index] = bytes.toString('utf8', at + 4, at + 4 + length)
      at += 4 + length
    }
    return row
  }
  const readRelation = () => {
    const id = bytes.readUInt32BE(1)
    at = 5
    const [schema, table] = [readText(), readText()]
    at += 1
    const count = bytes.readUInt16BE(at)
    at += 2
    const columns = Array.from({ length: count }, () => {
      at += 1
      const name = readText()
      const typeId = bytes.readUInt32BE(at)
      at += 8
      return { name, typeId }
    })
    relations.set(id, { places: columns.map(({ name }) => fields.indexOf(name)) })
    onRelation({ schema, table, columns })
  }
  const getKey = (row: Cells) => key.map((index) => row[index] ?? '')
  const readUpdate = () => {
    const relation = relationAt(1)
    const kind = bytes[5]
    at = 6
    let old: Cells | undefined
    if (kind === OLD_KEY || kind === OLD_ROW) {
      old = readRow(relation)
      at += 1
    }
    const row = readRow(relation)
    // With REPLICA IDENTITY FULL the old row supplies what the new one omits; otherwise a TOASTed key is only in the
    // old one.
    const left = kind === OLD_ROW ? relation.places.filter((index) => index >= 0) : key
    for (const index of old ? left : []) if (row[index] === undefined) row[index] = old?.[index]
    const oldKey = old ? getKey(old) : null
    const isMoved = oldKey !== null && getKey(row).some((value, one) => value !== oldKey[one])
    onChange({ kind: 'write', values: row, isNew: false, oldKey: isMoved ? oldKey : null, committedAt })
  }

  const readers = new Map<number | undefined, () => void>([
    [
      BEGIN,
      () => {
        committedAt = formatLogTime(bytes.readBigInt64BE(9))
        onBegin(bytes.readBigUInt64BE(1))
      },
    ],
    [COMMIT, () => onCommit(bytes.readBigUInt64BE(10))],
    [RELATION, readRelation],
    [
      INSERT,
      () => {
        at = 6
        onChange({ kind: 'write', values: readRow(relationAt(1)), isNew: true, oldKey: null, committedAt })
      },
    ],
    [UPDATE, readUpdate],
    [
      DELETE,
      () => {
        at = 6
        onChange({ kind: 'delete', key: getKey(readRow(relationAt(1))), committedAt })
      },
    ],
    [TRUNCATE, () => onChange({ kind: 'truncate', committedAt })],
  ])
  return (message) => {
    bytes = message
    readers.get(message[0])?.()
  }
}
