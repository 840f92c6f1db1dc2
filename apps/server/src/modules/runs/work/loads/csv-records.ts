import type { CsvBatch, CsvFormat, Field } from '@trellis/connector-kit/batch'
import type { WrittenColumn } from '@trellis/loads/plan/tables'
import type { CsvRecords } from '@trellis/loads/run/load'

interface ColumnPlan {
  readonly fields: readonly Field[]
  readonly columns: readonly WrittenColumn[]
}

/** Types that accept no arbitrary text: COPY yields the same value as parsing. */
const STRICT_TYPES =
  /^(?:smallint|integer|bigint|numeric|real|double precision|boolean|date|timestamp|timestamptz|time|uuid|jsonb?)(?:$|\(| )/

export function canPassThrough({ fields, columns }: ColumnPlan, format: CsvFormat): boolean {
  if (columns.length !== format.fields.length) return false
  return columns.every(({ field, postgres }) => {
    const type = fields.find(({ name }) => name === field)?.type
    return format.fields.includes(field) && (type === 'text' || STRICT_TYPES.test(postgres))
  })
}

export const isSameFormat = (a: CsvFormat | undefined, b: CsvFormat | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && JSON.stringify(a) === JSON.stringify(b))

export function createCsvRecords(
  plan: ColumnPlan,
  batches: readonly CsvBatch[],
  toLine: (batch: CsvBatch | ParsedRows) => Uint8Array,
): CsvRecords {
  const [{ format }] = batches as [CsvBatch]
  const { delimiter, quote, eol, dateOrder } = format
  const columnsInFile = format.fields.flatMap((field) => plan.columns.find((column) => column.field === field) ?? [])
  const isText = ({ field }: WrittenColumn) => plan.fields.find(({ name }) => name === field)?.type === 'text'
  const toWholeBatches = () => {
    const counts = batches.map(({ rowCount }) => rowCount)
    return { parts: batches.map(toLine), counts, rows: counts.reduce((sum, count) => sum + count, 0) }
  }
  return {
    delimiter,
    quote,
    eol,
    dateOrder,
    columns: columnsInFile.map(({ name }) => name),
    emptyIsNull: columnsInFile.filter((column) => !isText(column)).map(({ name }) => name),
    toLines: (numbers) => {
      if (!numbers) return toWholeBatches()
      const rows = pickRows(batches, numbers)
      return { parts: [toLine({ kind: 'rows', rows })], counts: [rows.length], rows: rows.length }
    },
  }
}

type ParsedRows = { readonly kind: 'rows'; readonly rows: ReturnType<CsvBatch['rows']> }

/** 1-based over all batches. */
function pickRows(batches: readonly CsvBatch[], numbers: readonly number[]): ParsedRows['rows'] {
  const sortedNumbers = numbers.toSorted((a, b) => a - b)
  const pickedRows: ParsedRows['rows'][number][] = []
  let rowsBefore = 0
  let nextIndex = 0
  for (const batch of batches) {
    const end = rowsBefore + batch.rowCount
    if ((sortedNumbers[nextIndex] ?? Infinity) <= end) {
      const rows = batch.rows()
      for (; (sortedNumbers[nextIndex] ?? Infinity) <= end; nextIndex += 1)
        pickedRows.push(rows[(sortedNumbers[nextIndex] ?? 0) - rowsBefore - 1] ?? [])
    }
    rowsBefore = end
  }
  return pickedRows
}
