import { type CsvBatch, type Field, type RowBatch, type Value, countRows } from '@trellis/connector-kit/batch'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import type { ByteSource } from '@trellis/table-files/read/byte-source'
import { findEncoding } from '@trellis/table-files/detect/encoding'
import { readByForecast } from '@trellis/table-files/profile/read-by-forecast'
import { openRows } from '@trellis/table-files/read/open-rows'
import { unpack } from '@trellis/table-files/read/unpack'
import { type CsvCopyInput, canCopyDirectly, copyCsv } from './csv-batches.ts'
import { type FaultCollector, OtherEncoding, collectFaults } from './file-faults.ts'
import { createCellReader } from './file-values.ts'
import type { ProfiledFile } from './profiled-file.ts'

export type Piece = Omit<RowBatch, 'state'> | Omit<CsvBatch, 'state'>

interface Pieces {
  readonly fields: readonly Field[]
  readonly skip: number
  readonly line: number
  readonly isCut: boolean
}

const BATCH_ROWS = 5000
const BATCH_CHARACTERS = 1024 * 1024

/** Invalid UTF-8 after the sampled beginning may mean another encoding. */
export async function* readPieces(
  context: ConnectorContext,
  knownProfiledFile: ProfiledFile,
  requestedPieces: Pieces,
): AsyncGenerator<Piece> {
  let { skip, line } = requestedPieces
  try {
    for await (const piece of splitPieces(context, knownProfiledFile, requestedPieces)) {
      skip += countRows(piece)
      line = piece.rejected?.at(-1)?.line ?? line
      yield piece
    }
  } catch (error) {
    if (!(error instanceof OtherEncoding)) throw error
    const { packing } = knownProfiledFile.profile
    const { encoding } = await findEncoding(
      unpack(knownProfiledFile.source ?? (await knownProfiledFile.file.open()), packing),
    )
    const dialect = { ...knownProfiledFile.profile.dialect, encoding }
    const profile = { ...knownProfiledFile.profile, dialect, is_encoding_sure: true }
    yield* splitPieces(context, { ...knownProfiledFile, profile }, { ...requestedPieces, skip, line })
  }
}

async function* splitPieces(
  context: ConnectorContext,
  knownProfiledFile: ProfiledFile,
  { fields, skip, line, isCut }: Pieces,
): AsyncGenerator<Piece> {
  const { file, profile, names } = knownProfiledFile
  const source = knownProfiledFile.source ?? (await file.open())
  const faults = collectFaults(context, knownProfiledFile, line)
  const read = rowReader(knownProfiledFile, fields)
  const isPassed = !isCut && canCopyDirectly(knownProfiledFile, fields)
  const passing = { source, profile, names, skip, read, onFault: faults.report }
  const pieces = isPassed
    ? passFile(context, knownProfiledFile, passing)
    : readRows(context, { known: { ...knownProfiledFile, source }, skip, read, faults })
  for await (const piece of pieces) {
    context.signal.throwIfAborted()
    yield faults.count() > 0 ? { ...piece, rejected: faults.take() } : piece
  }
  if (faults.count() > 0) yield { kind: 'rows', rows: [], rejected: faults.take() }
}

async function* passFile(
  context: ConnectorContext,
  { file, forecast }: ProfiledFile,
  passing: CsvCopyInput,
): AsyncGenerator<CsvBatch> {
  if (!forecast) return yield* copyCsv(passing)
  const { warnings } = yield* readByForecast(forecast, {
    onFault: passing.onFault,
    read: (options) => copyCsv({ ...passing, ...options }),
  })
  for (const warning of warnings) context.log('WARNING', `${file.name}: ${warning}`)
}

type Cells = readonly (string | null)[]

function rowReader({ names, profile }: ProfiledFile, fields: readonly Field[]): (cells: Cells) => Value[] {
  const places = fields.map(({ name, type }) => ({
    at: names.indexOf(name),
    isText: type === 'text',
    tokens: new Set(profile.columns[names.indexOf(name)]?.null_tokens ?? []),
    read: createCellReader(type, {
      date_order: profile.dialect.date_order,
      decimal_comma: profile.columns[names.indexOf(name)]?.decimal_comma ?? profile.dialect.decimal_comma,
    }),
  }))
  return (cells) =>
    places.map(({ at, isText, tokens, read }) => {
      const cell = cells[at] ?? null
      return cell === null || (!isText && (cell.trim() === '' || tokens.has(cell))) ? null : read(cell)
    })
}

interface Rows {
  readonly known: ProfiledFile & { readonly source: ByteSource }
  readonly skip: number
  readonly read: (cells: Cells) => Value[]
  readonly faults: FaultCollector
}

async function* readRows(context: ConnectorContext, { known, skip, read, faults }: Rows): AsyncGenerator<Piece> {
  const { dialect, packing, columns } = known.profile
  const headers = columns.map(({ header }) => header)
  const table = await openRows(known.source, { dialect, packing, headers, signal: context.signal })
  let left = skip
  let rows: Value[][] = []
  let characters = 0
  for await (const part of table.rows()) {
    context.signal.throwIfAborted()
    for (const { cells, fault } of part) {
      if (fault) faults.report(fault)
      else if (left > 0) left -= 1
      else {
        rows.push(read(cells))
        for (const cell of cells) characters += cell?.length ?? 0
      }
      if (Math.max(rows.length, faults.count()) < BATCH_ROWS && characters < BATCH_CHARACTERS) continue
      yield { kind: 'rows', rows }
      rows = []
      characters = 0
    }
  }
  if (rows.length > 0) yield { kind: 'rows', rows }
}
