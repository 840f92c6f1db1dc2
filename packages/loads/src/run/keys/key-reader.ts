import { quoteName } from '@trellis/workspace-db/identifiers'
import type { CsvRecords, Load } from '../load.ts'
import { createCellHash, setValue } from './cell-hash.ts'
import { type KeyColumn, toKeyColumn, formatAsSql } from './key-kinds.ts'
import type { KeySum } from './key-sum.ts'
import { hashTextLines } from './scan-lines.ts'
import { hashCsvRecords } from './scan-records.ts'

type Cells = Readonly<Record<string, string | null>>

/** Sums key hashes like `inSql` does in Postgres. Rows with NULL count as zero. */
export interface KeyReader {
  ofLines(bytes: Uint8Array): KeySum
  ofRecords(bytes: Uint8Array, csv: CsvRecords): KeySum
  ofCells(rows: readonly Cells[]): KeySum
  inSql(prefix: string): string
}

export function createKeyReader({ columns, proofKey }: Pick<Load, 'columns' | 'proofKey'>): KeyReader | undefined {
  const key = proofKey.flatMap((name) => {
    const column = columns.find((writtenColumn) => writtenColumn.name === name)
    return (column && toKeyColumn(name, column.postgres)) ?? []
  })
  if (key.length === 0 || key.length < proofKey.length) return undefined
  const placesIn = (names: readonly string[]) => names.map((name) => key.findIndex((column) => column.name === name))
  const inLines = placesIn(columns.map(({ name }) => name))
  const hash = createCellHash(key)
  return {
    ofLines: (bytes) => {
      hashTextLines(bytes, inLines, hash)
      return hash.take()
    },
    ofRecords: (bytes, csv) => {
      hashCsvRecords(bytes, { csv, places: placesIn(csv.columns) }, hash)
      return hash.take()
    },
    ofCells: (rows) => {
      for (const cells of rows) {
        for (const [at, cell] of hash.cells.entries()) {
          const value = cells[key[at]?.name ?? ''] ?? null
          setValue(cell, value === null ? null : Buffer.from(value))
        }
        hash.add()
      }
      return hash.take()
    },
    inSql: (prefix) => hashInSql(key, prefix),
  }
}

/** Each hash is the next one's seed. */
const hashInSql = (key: readonly KeyColumn[], prefix: string) =>
  key.reduce((seed, { name, kind }) => {
    const hash = kind === 'integer' ? 'hashint8extended' : 'hashtextextended'
    return `pg_catalog.${hash}(${formatAsSql(kind, `${prefix}${quoteName(name)}`)}, ${seed})`
  }, '0')
