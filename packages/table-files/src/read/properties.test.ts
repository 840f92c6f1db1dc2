import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FileFault, bufferSource } from './byte-source.ts'
import { type CopyBlock, readCsvBlocks } from './csv-blocks.ts'
import type { FileDialect, RowFault } from './dialect.ts'
import { columnNames } from './headers.ts'
import { openRows } from './open-rows.ts'
import { profileFile } from '../profile/profile-file.ts'

const dialect: FileDialect = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  has_header: true,
  skip_lines: 0,
  null_tokens: [''],
  decimal_comma: false,
  date_order: 'ymd',
  sheet: null,
}

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll('\0', '').toWellFormed())
const cell = fc.option(fc.oneof(text, fc.constantFrom('', '"', '""', ',', '\n', '\r\n', '\r', '\\.', ' x ', "'", '﻿')))
const table = fc
  .integer({ min: 2, max: 6 })
  .chain((columns) =>
    fc
      .array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 12 })
      .map((rows) => ({ columns, rows })),
  )
const eol = fc.constantFrom('\n', '\r\n', '\r')

const written = (value: string | null) => (value === null ? '' : `"${value.replaceAll('"', '""')}"`)
const csv = (columns: number, rows: (string | null)[][], end: string) =>
  [
    Array.from({ length: columns }, (_, at) => `c${at}`).join(','),
    ...rows.map((row) => row.map(written).join(',')),
  ].join(end) + end

async function allRows(bytes: Uint8Array, chunkBytes: number) {
  const openedTable = await openRows(bufferSource(bytes, chunkBytes), { dialect, packing: 'plain' })
  const found = []
  for await (const batch of openedTable.rows()) found.push(...batch)
  return found
}

describe('CSV', () => {
  test('a table that is written is read back the same, however it is cut on the way', async () => {
    await fc.assert(
      fc.asyncProperty(table, eol, fc.integer({ min: 1, max: 40 }), async ({ columns, rows }, end, chunk) => {
        // A row of NULLs would be an empty line with one column.
        const fileRows = await allRows(Buffer.from(csv(columns, rows, end)), chunk)
        expect(fileRows.map((row) => row.cells)).toEqual(rows)
      }),
      { numRuns: 1500 },
    )
  })

  test('blocks for COPY hold every row once and count lines as COPY does', async () => {
    await fc.assert(
      fc.asyncProperty(table, eol, fc.integer({ min: 1, max: 40 }), async ({ columns, rows }, end, chunk) => {
        const faults: RowFault[] = []
        const blocks: CopyBlock[] = []
        const source = bufferSource(Buffer.from(csv(columns, rows, end)), chunk)
        const options = { dialect, columns, eol: end as '\n', onFault: (fault: RowFault) => faults.push(fault) }
        for await (const block of readCsvBlocks(source.stream(), options)) blocks.push(block)
        expect(faults).toEqual([])
        expect(blocks.reduce((sum, block) => sum + block.rows, 0)).toBe(rows.length)
        const bytes = Buffer.concat(blocks.flatMap((block) => block.parts))
        const again = await allRows(Buffer.concat([Buffer.from(`${'c,'.repeat(columns - 1)}c${end}`), bytes]), 7)
        expect(again.map((row) => row.cells)).toEqual(rows)
        const feed = end === '\n' ? '\n' : '\r'
        const inside = rows.flat().join('').split(feed).length - 1
        expect(blocks.reduce((sum, block) => sum + block.lines, 0)).toBe(rows.length + inside)
      }),
      { numRuns: 800 },
    )
  })

  test('any bytes end in rows and faults that add up, or in a fault of the whole file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 64 }), async (noise, chunk) => {
        const bytes = Buffer.concat([Buffer.from('a,b\n'), noise])
        try {
          const rows = await allRows(bytes, chunk)
          let loaded = 0
          const faults: RowFault[] = []
          const options = { dialect, columns: 2, eol: '\n' as const, onFault: (fault: RowFault) => faults.push(fault) }
          for await (const block of readCsvBlocks(bufferSource(bytes, chunk).stream(), options)) loaded += block.rows
          expect(loaded + faults.length).toBe(rows.length)
          expect(faults.map(({ row, line }) => [row, line])).toEqual(
            rows.filter((row) => row.fault).map(({ row, line }) => [row, line]),
          )
        } catch (error) {
          expect(error).toBeInstanceOf(FileFault)
        }
      }),
      { numRuns: 1500 },
    )
  })
})

test('any file is profiled or refused with a sentence', async () => {
  const starts = ['', 'PAR1', 'PK\u0003\u0004', '\u001f\u008b', '{"a":', '\ufeff']
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), async (start, noise) => {
      const bytes = Buffer.concat([Buffer.from(start, 'latin1'), noise])
      try {
        const profile = await profileFile(bufferSource(bytes))
        expect(profile.columns.length).toBeGreaterThan(0)
      } catch (error) {
        expect(error).toBeInstanceOf(FileFault)
        expect((error as Error).message).toMatch(/\.$/)
      }
    }),
    { numRuns: 1000 },
  )
})

test('names of columns are visible, short, each once, and always the same', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 90 }), { maxLength: 20 }), (headers) => {
      const names = columnNames(headers)
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(headers.length)
      for (const name of names) {
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
        expect(name).toMatch(/^[^\p{Cc}\p{Cs}]+$/u)
      }
      expect(columnNames(headers)).toEqual(names)
    }),
    { numRuns: 500 },
  )
})
