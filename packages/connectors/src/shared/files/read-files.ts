import type { Batch, Field, ReadState, Value } from '@trellis/connector-kit/batch'
import type { ReadRequest, Reading } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { type ByteSource, FileFault } from '@trellis/table-files/read/byte-source'
import { columnNames } from '@trellis/table-files/read/headers'
import { openRows } from '@trellis/table-files/read/open-rows'
import { type FileProfile, profileFile } from '@trellis/table-files/read/profile-file'
import type { FileReading } from './file-forma.ts'
import { cellReader, commonType } from './file-values.ts'

/** A file somewhere, in the version it has now. */
export interface RemoteFile {
  /** An address or a key; the same file keeps it. */
  readonly name: string
  /** Another one when the file was changed. */
  readonly version: string
  open(): Promise<ByteSource>
}

/** Which files have been read, in which version; and how far into one that was broken off. */
interface FilesState {
  readonly files: Readonly<Record<string, string>>
  readonly pending?: {
    readonly name: string
    readonly version: string
    readonly rows: number
    /** Those of all files of the run: the ones that are left may have fewer. */
    readonly fields: readonly Field[]
  }
}

interface KnownFile {
  readonly file: RemoteFile
  /** Only of a file that is read alone: some are held in memory, and all of them together would fill it. */
  readonly source: ByteSource | undefined
  readonly profile: FileProfile
  readonly names: readonly string[]
}

const BATCH_ROWS = 5000
const BATCH_CHARACTERS = 1024 * 1024
const MOST_REMEMBERED = 10_000
const SHOWN_FAULTS = 5

/** All files as one table: a column of each name that comes up, in a type that all of them fit. */
export async function readFiles(
  context: ConnectorContext,
  listed: readonly RemoteFile[],
  { request, reading }: { request: ReadRequest; reading: FileReading },
): Promise<Reading> {
  const state = (request.state ?? { files: {} }) as unknown as FilesState
  const isKnown = ({ name, version }: RemoteFile) => state.files?.[name] === version
  const isLeftOut = (file: RemoteFile) => isKnown(file) && (reading.isOnlyChanged || state.pending !== undefined)
  const wanted = listed.filter((file) => !isLeftOut(file))
  // Nothing new still has columns: those of what is there.
  const files = request.limit !== undefined || wanted.length === 0 ? listed.slice(0, 1) : wanted
  if (files.length === 0) {
    throw new ConnectorError('configuration', 'There is no file to read.', {
      advice: 'Check the addresses, the prefix and the pattern.',
    })
  }
  const known: KnownFile[] = []
  for (const file of files) {
    const one = await getToKnow(context, file, reading)
    known.push(files.length === 1 ? one : { ...one, source: undefined })
  }
  const fields = state.pending?.fields ?? fieldsOf(known)
  const read = wanted.length === 0 && request.limit === undefined ? [] : known
  return { fields, key: [], cursor: null, batches: readAll(context, { read, fields, state, limit: request.limit }) }
}

async function getToKnow(context: ConnectorContext, file: RemoteFile, reading: FileReading): Promise<KnownFile> {
  try {
    const source = await file.open()
    const profile = await profileFile(source, { given: reading.given, fileName: file.name, signal: context.signal })
    return { file, source, profile, names: columnNames(profile.columns.map(({ header }) => header)) }
  } catch (error) {
    throw fileProblem(error, file)
  }
}

function fileProblem(error: unknown, { name }: RemoteFile): unknown {
  if (!(error instanceof FileFault)) return error
  return new ConnectorError('configuration', `${name}: ${error.message}`, {
    advice: 'Look at the file, or choose its format.',
    cause: error,
  })
}

const typeOf = (profile: FileProfile, at: number): ColumnType => profile.columns[at]?.fitting_types[0] ?? 'text'

function fieldsOf(known: readonly KnownFile[]): Field[] {
  const types = new Map<string, ColumnType>()
  for (const { names, profile } of known) {
    for (const [at, name] of names.entries()) {
      // A column that is empty in one file says nothing about the others.
      if (profile.columns[at]?.empty_values === profile.rows && types.has(name)) continue
      const before = types.get(name)
      types.set(name, before === undefined ? typeOf(profile, at) : commonType(before, typeOf(profile, at)))
    }
  }
  return [...types].map(([name, type]) => ({ name, type, isNullable: true }))
}

interface Work {
  readonly read: readonly KnownFile[]
  readonly fields: readonly Field[]
  readonly state: FilesState
  readonly limit: number | undefined
}

async function* readAll(context: ConnectorContext, { read, fields, state, limit }: Work): AsyncGenerator<Batch> {
  const files: Record<string, string> = { ...state.files }
  let left = limit ?? Infinity
  for (const [place, known] of read.entries()) {
    const { name, version } = known.file
    const pending = state.pending?.name === name && state.pending.version === version ? state.pending.rows : 0
    let rows = pending
    let held: Value[][] | undefined
    const stateHere = (): FilesState => ({ files: { ...files }, pending: { name, version, rows, fields } })
    try {
      for await (const batch of readRows(context, known, { fields, skip: pending })) {
        if (held) yield toBatch(held, stateHere())
        held = batch.slice(0, left)
        rows += held.length
        left -= held.length
        if (left <= 0) break
      }
    } catch (error) {
      throw fileProblem(error, known.file)
    }
    files[name] = version
    if (left <= 0) return yield toBatch(held ?? [], undefined)
    const isLast = place === read.length - 1
    yield toBatch(
      held ?? [],
      isLast ? { files: latest(files) } : { files: { ...files }, pending: { ...BEGIN, fields } },
    )
  }
  if (read.length === 0) yield toBatch([], { files: state.files ?? {} })
}

/** Between two files: what is done is done, the next one begins. */
const BEGIN = { name: '', version: '', rows: 0 }

const latest = (files: Record<string, string>) => Object.fromEntries(Object.entries(files).slice(-MOST_REMEMBERED))

const toBatch = (rows: Value[][], state: FilesState | undefined): Batch => ({
  kind: 'rows',
  rows,
  ...(state && { state: state as unknown as ReadState }),
})

async function* readRows(
  context: ConnectorContext,
  { file, source, profile, names }: KnownFile,
  { fields, skip }: { fields: readonly Field[]; skip: number },
): AsyncGenerator<Value[][]> {
  const { dialect, packing } = profile
  const headers = profile.columns.map(({ header }) => header)
  const table = await openRows(source ?? (await file.open()), { dialect, packing, headers, signal: context.signal })
  const places = fields.map(({ name, type }) => ({
    at: names.indexOf(name),
    isText: type === 'text',
    read: cellReader(type, dialect),
  }))
  let left = skip
  let faults = 0
  let batch: Value[][] = []
  let characters = 0
  for await (const part of table.rows()) {
    context.signal.throwIfAborted()
    for (const { cells, fault } of part) {
      if (fault) {
        faults += 1
        if (faults <= SHOWN_FAULTS)
          context.log('WARNING', `${file.name}, line ${fault.line}: ${fault.reason} The row is left out.`)
        continue
      }
      if (left > 0) {
        left -= 1
        continue
      }
      batch.push(places.map(({ at, isText, read }) => valueOf(cells[at] ?? null, isText, read)))
      for (const cell of cells) characters += cell?.length ?? 0
      if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue
      yield batch
      batch = []
      characters = 0
    }
  }
  if (faults > SHOWN_FAULTS) context.log('WARNING', `${file.name}: ${faults} rows could not be read and are left out.`)
  if (batch.length > 0) yield batch
}

function valueOf(cell: string | null, isText: boolean, read: (cell: string) => Value): Value {
  if (cell === null || (!isText && cell.trim() === '')) return null
  return read(cell)
}
