import { quoteName } from '@trellis/workspace-db/identifiers'
import type { CsvRecords, Load } from '../load.ts'
import { createCellHash, setCellValue } from './cell-hash.ts'
import { type KeyColumn, toKeyColumn, formatAsSql } from './key-kinds.ts'
import type { KeySum } from './key-sum.ts'
import { hashTextLines } from './scan-lines.ts'
import { hashCsvRecords } from './scan-records.ts'

type Cells = Readonly<Record<string, string | null>>

/** Sums key hashes like `inSql` does in Postgres. Rows with NULL count as zero. */
export interface KeyReader {
  sumLines(bytes: Uint8Array): KeySum
  sumRecords(bytes: Uint8Array, csv: CsvRecords): KeySum
  sumCells(rows: readonly Cells[]): KeySum
  buildSqlHash(prefix: string): string
}

export function createKeyReader({ columns, proofKey }: Pick<Load, 'columns' | 'proofKey'>): KeyReader | undefined {
  const key = proofKey.flatMap((name) => {
    const column = columns.find((writtenColumn) => writtenColumn.name === name)
    return (column && toKeyColumn(name, column.postgres)) ?? []
  })
  if (key.length === 0 || key.length < proofKey.length) return undefined
  const findKeyIndexes = (names: readonly string[]) =>
    names.map((name) => key.findIndex((column) => column.name === name))
  const keyIndexByColumn = findKeyIndexes(columns.map(({ name }) => name))
  const hash = createCellHash(key)
  return {
    sumLines: (bytes) => {
      hashTextLines(bytes, keyIndexByColumn, hash)
      return hash.take()
    },
    sumRecords: (bytes, csv) => {
      hashCsvRecords(bytes, { csv, cellIndexes: findKeyIndexes(csv.columns) }, hash)
      return hash.take()
    },
    sumCells: (rows) => {
      for (const cells of rows) {
        for (const [index, cell] of hash.cells.entries()) {
          const value = cells[key[index]?.name ?? ''] ?? null
          setCellValue(cell, value === null ? null : Buffer.from(value))
        }
        hash.add()
      }
      return hash.take()
    },
    buildSqlHash: (prefix) => buildKeyHash(key, prefix),
  }
}

/** Each hash is the next one's seed. */
const buildKeyHash = (key: readonly KeyColumn[], prefix: string) =>
  key.reduce((seed, { name, kind }) => {
    const hash = kind === 'integer' ? 'hashint8extended' : 'hashtextextended'
    return `pg_catalog.${hash}(${formatAsSql(kind, `${prefix}${quoteName(name)}`)}, ${seed})`
  }, '0')
