import { type Batch, type Field, type ReadState, countRows } from '@trellis/connector-kit/batch'
import type { ReadRequest, Reading } from '@trellis/connector-kit/connector'
import { FieldsRevised } from '@trellis/connector-kit/fields-revised'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { SourceGone } from '@trellis/connector-kit/source-gone'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import { type ByteSource, FileFault } from '@trellis/table-files/read/byte-source'
import { columnNames } from '@trellis/table-files/read/headers'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { Forecast } from '@trellis/table-files/profile/forecast-csv'
import { forecastFile, profileFile } from '@trellis/table-files/profile/profile-file'
import { ForecastRefuted } from '@trellis/table-files/profile/read-by-forecast'
import { canCopyDirectly } from './csv-batches.ts'
import type { FileReading } from './file-forma.ts'
import { findCommonType } from './file-values.ts'
import { type Piece, readPieces } from './file-pieces.ts'
import type { ProfiledFile, RemoteFile } from './profiled-file.ts'

/** Files already read with their version, and the position in a partially read one. */
interface FilesState {
  readonly files: Readonly<Record<string, string>>
  readonly pending?: {
    readonly name: string
    readonly version: string
    readonly rows: number
    readonly line?: number
    readonly size?: number | undefined
    /** Sizes of the files that this run has read already; those of earlier runs are only in `files`. */
    readonly done?: Readonly<Record<string, number | null>>
    /** Fields of all files of the run; the remaining ones may have fewer. */
    readonly fields: readonly Field[]
  }
}

interface FileFinding extends Pick<ProfiledFile, 'profile' | 'forecast'> {
  readonly version: string
  readonly size: number | undefined
}
type FileFindings = ReadonlyMap<string, FileFinding>

const MAX_REMEMBERED = 10_000

/** All files as one table, with every column name and a type that fits all files. */
export async function readFiles(
  context: ConnectorContext,
  listedRemoteFiles: readonly RemoteFile[],
  { request, reading }: { request: ReadRequest; reading: FileReading },
): Promise<Reading> {
  const { limit, types } = request
  const state = (request.state ?? { files: {} }) as unknown as FilesState
  const isKnown = ({ name, version }: RemoteFile) => state.files?.[name] === version
  const done = findDone(state, listedRemoteFiles)
  const isLeftOut = (file: RemoteFile) => Object.hasOwn(done, file.name) || (reading.isOnlyChanged && isKnown(file))
  const wantedRemoteFiles = listedRemoteFiles.filter((file) => !isLeftOut(file))
  const files =
    limit !== undefined || wantedRemoteFiles.length === 0 ? listedRemoteFiles.slice(0, 1) : wantedRemoteFiles
  if (files.length === 0) {
    throw new SourceGone('There is no file to read.', 'Check the addresses, the prefix and the pattern.')
  }
  const knownProfiledFiles: ProfiledFile[] = []
  const findings = new Map<string, FileFinding>()
  for (const file of files) {
    const mayForecast = request.allowsProvisional === true && listedRemoteFiles.length === 1 && !types
    const found = request.found as FileFindings | undefined
    const profiledFile = await openProfiled(context, file, { reading, types, found, mayForecast })
    const { source, profile, forecast } = profiledFile
    findings.set(file.name, { version: file.version, size: source?.size, profile, forecast })
    knownProfiledFiles.push(files.length === 1 ? profiledFile : { ...profiledFile, source: undefined })
  }
  assertSameFile(state, knownProfiledFiles, findings)
  const fields = state.pending?.fields ?? toFields(knownProfiledFiles, types)
  const read = wantedRemoteFiles.length === 0 && limit === undefined ? [] : knownProfiledFiles
  const isProvisional = knownProfiledFiles.some(({ forecast }) => forecast !== undefined)
  const batches = readAll(context, { read, findings, fields, state, done, limit })
  return { fields, key: [], cursor: null, batches, found: findings, ...(isProvisional && { isProvisional }) }
}

/** Files that this run has read before it was broken off. */
function findDone(state: FilesState, listed: readonly RemoteFile[]): Readonly<Record<string, number | null>> {
  const { files, pending } = state
  // Checkpoints of older versions do not tell the files of this run from those of earlier ones.
  const done = pending ? (pending.done ?? Object.fromEntries(Object.keys(files).map((name) => [name, null]))) : {}
  for (const file of listed) {
    const { name, size } = file
    const before = { version: files[name] ?? '', size: done[name] ?? undefined }
    if (Object.hasOwn(done, name) && !isSameFile(before, file, size)) throw new SourceChanged(name)
  }
  return done
}

function assertSameFile({ pending }: FilesState, known: readonly ProfiledFile[], findings: FileFindings): void {
  if (!pending?.name) return
  const file = known.find((candidate) => candidate.file.name === pending.name)?.file
  const size = pending.size ?? findings.get(pending.name)?.size
  if (!file || !isSameFile({ ...pending, size }, file, findings.get(pending.name)?.size))
    throw new SourceChanged(pending.name)
}

interface ProfileRequest {
  readonly reading: FileReading
  readonly types: ReadRequest['types']
  readonly found: FileFindings | undefined
  readonly mayForecast: boolean
}

async function openProfiled(
  context: ConnectorContext,
  file: RemoteFile,
  looking: ProfileRequest,
): Promise<ProfiledFile> {
  const before = looking.found?.get(file.name)
  try {
    const source = await file.open()
    if (before && isSameFile(before, file, source.size)) {
      const { profile, forecast } = before
      return { file, source, profile, forecast, names: toColumnNames(profile) }
    }
    const forecast = looking.mayForecast ? await findForecast(context, { file, source }, looking) : undefined
    const profile = forecast?.profile ?? (await profileWithWarnings(context, { file, source }, looking))
    return { file, source, profile, forecast, names: toColumnNames(profile) }
  } catch (error) {
    throw fileProblem(error, file)
  }
}

/** Without a version the size has to do: a forecast is verified by all rows anyway. */
const isSameFile = (
  before: Pick<FileFinding, 'version' | 'size'>,
  { version, isUnversioned }: RemoteFile,
  size: number | undefined,
): boolean => before.version === version || (isUnversioned === true && before.size === size)

const toColumnNames = ({ columns }: FileProfile) => columnNames(columns.map(({ header }) => header))

/** A provisional reading is one transaction: it starts over after a crash, which should take seconds. */
const MAX_PROVISIONAL_BYTES = 512 * 1024 ** 2

/** Only for a file whose bytes are passed on, since its values are checked on the way. */
async function findForecast(
  { signal }: ConnectorContext,
  { file, source }: { file: RemoteFile; source: ByteSource },
  { reading }: ProfileRequest,
): Promise<Forecast | undefined> {
  if (source.size > MAX_PROVISIONAL_BYTES) return undefined
  const forecast = await forecastFile(source, { given: reading.given, fileName: file.name, signal })
  if (!forecast) return undefined
  const { profile } = forecast
  const named = { file, source, profile, names: toColumnNames(profile) }
  return canCopyDirectly(named, toFields([named], undefined)) ? forecast : undefined
}

/** Reads the whole file to infer column types; if those are given, only its beginning. */
async function profileWithWarnings(
  context: ConnectorContext,
  named: { file: RemoteFile; source: ByteSource },
  looking: ProfileRequest,
): Promise<FileProfile> {
  const profile = await inspect(context, named, looking)
  for (const warning of profile.warnings) context.log('WARNING', `${named.file.name}: ${warning}`)
  return profile
}

async function inspect(
  { signal }: ConnectorContext,
  { file, source }: { file: RemoteFile; source: ByteSource },
  { reading, types }: ProfileRequest,
): Promise<FileProfile> {
  const options = { given: reading.given, fileName: file.name, signal }
  if (!types) return await profileFile(source, options)
  const head = await profileFile(source, { ...options, isHeadOnly: true })
  return isHeadEnough(head, types) ? head : await profileFile(source, options)
}

const MOMENTS: readonly ColumnType[] = ['date', 'timestamp', 'timestamptz']

/** A date order is certain only once a value exceeds twelve, possibly far into the file. */
function isHeadEnough(head: FileProfile, types: Readonly<Record<string, ColumnType>>): boolean {
  if (head.dialect.date_order !== 'ymd') return false
  const names = toColumnNames(head)
  return head.columns.every(({ empty_values }, at) => {
    const type = types[names[at] ?? '']
    return type === undefined || !MOMENTS.includes(type) || empty_values < head.rows
  })
}

function fileProblem(error: unknown, { name }: RemoteFile): unknown {
  if (!(error instanceof FileFault)) return error
  return new ConnectorError('configuration', `${name}: ${error.message}`, {
    advice: 'Look at the file, or choose its format.',
    cause: error,
  })
}

const getColumnType = (profile: FileProfile, at: number): ColumnType => profile.columns[at]?.fitting_types[0] ?? 'text'

function toFields(knownProfiledFiles: readonly ProfiledFile[], settled: ReadRequest['types']): Field[] {
  const types = new Map<string, ColumnType>()
  for (const { names, profile } of knownProfiledFiles) {
    for (const [at, name] of names.entries()) {
      // A column that is empty in one file says nothing about its type.
      if (profile.columns[at]?.empty_values === profile.rows && types.has(name)) continue
      const before = types.get(name)
      const type = settled ? (settled[name] ?? 'text') : getColumnType(profile, at)
      types.set(name, before === undefined ? type : findCommonType(before, type))
    }
  }
  return [...types].map(([name, type]) => ({ name, type, isNullable: true }))
}

interface Work {
  readonly read: readonly ProfiledFile[]
  readonly findings: FileFindings
  readonly fields: readonly Field[]
  readonly state: FilesState
  readonly done: Readonly<Record<string, number | null>>
  readonly limit: number | undefined
}

async function* readAll(
  context: ConnectorContext,
  { read, findings, fields, state, limit, ...before }: Work,
): AsyncGenerator<Batch> {
  const files: Record<string, string> = { ...state.files }
  const done: Record<string, number | null> = { ...before.done }
  let left = limit ?? Infinity
  for (const [index, knownProfiledFile] of read.entries()) {
    const { name, version } = knownProfiledFile.file
    const resume = findResumePoint(state, knownProfiledFile.file)
    let { rows, line } = resume
    let held: Piece | undefined
    const size = findings.get(name)?.size
    const stateHere = (): FilesState => ({
      files: { ...files },
      pending: { name, version, size, rows, line, done: { ...done }, fields },
    })
    const asked = { fields, skip: resume.rows, line: resume.line, isCut: limit !== undefined }
    try {
      for await (const piece of readPieces(context, knownProfiledFile, asked)) {
        if (held) yield toBatch(held, knownProfiledFile.forecast ? undefined : stateHere())
        held = limitPiece(piece, left)
        const count = countRows(held)
        rows += count
        line = getLastLine(held) ?? line
        left -= count
        if (left <= 0) break
      }
    } catch (error) {
      if (error instanceof ForecastRefuted) throw reviseFields(context, knownProfiledFile, error)
      throw fileProblem(error, knownProfiledFile.file)
    }
    files[name] = version
    done[name] = knownProfiledFile.file.size ?? null
    if (left <= 0) return yield toBatch(held, undefined)
    const isLast = index === read.length - 1
    yield toBatch(
      held,
      isLast
        ? { files: keepLatestFiles(files) }
        : { files: { ...files }, pending: { ...BEGIN, done: { ...done }, fields } },
    )
  }
  if (read.length === 0) yield toBatch(undefined, { files: state.files ?? {} })
}

function reviseFields(
  context: ConnectorContext,
  { file: { name, version }, source }: ProfiledFile,
  { profile }: ForecastRefuted,
): FieldsRevised {
  if (!profile) return new FieldsRevised()
  for (const warning of profile.warnings) context.log('WARNING', `${name}: ${warning}`)
  return new FieldsRevised(new Map([[name, { version, size: source?.size, profile }]]) satisfies FileFindings)
}

function findResumePoint({ pending }: FilesState, { name }: RemoteFile): { rows: number; line: number } {
  return pending?.name === name ? { rows: pending.rows, line: pending.line ?? 0 } : { rows: 0, line: 0 }
}

const limitPiece = (piece: Piece, most: number): Piece =>
  piece.kind === 'rows' ? { ...piece, rows: piece.rows.slice(0, most) } : piece

const getLastLine = ({ rejected }: Piece): number | undefined => rejected?.at(-1)?.line

const BEGIN = { name: '', version: '', rows: 0 }

const keepLatestFiles = (files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).slice(-MAX_REMEMBERED))

const toBatch = (piece: Piece | undefined, state: FilesState | undefined): Batch => ({
  ...(piece ?? { kind: 'rows', rows: [] }),
  ...(state && { state: state as unknown as ReadState }),
})
