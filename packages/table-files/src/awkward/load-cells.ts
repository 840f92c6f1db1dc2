import { profileFile } from '../profile/profile-file.ts'
import { buildValueRule } from '../profile/value-rule.ts'
import { bufferSource } from '../read/byte-source.ts'
import { type ValueRule, cellFor } from '../read/copy-rows.ts'
import type { FileDialect } from '../read/dialect.ts'
import { openRows } from '../read/open-rows.ts'
import type { TypeName } from '../values/type-names.ts'

type Cells = (string | null)[][]

export interface AwkwardFile {
  readonly name: string
  readonly content: string | Uint8Array | (() => Uint8Array | Promise<Uint8Array>)
  readonly fileName?: string
  readonly given?: Partial<FileDialect>
  /** `name:type` per column. */
  readonly columns?: readonly string[]
  readonly rows?: Cells
  readonly rejected?: readonly number[]
  readonly warning?: RegExp
  readonly isQuiet?: boolean
  readonly refused?: RegExp
}

const KINDS: Partial<Record<TypeName, ValueRule['kind']>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  real: 'number',
  date: 'moment',
  timestamp: 'moment',
  timestamptz: 'moment',
  time: 'moment',
}

export async function loadCells(file: Pick<AwkwardFile, 'content' | 'fileName' | 'given'>) {
  const content = typeof file.content === 'function' ? await file.content() : file.content
  const source = bufferSource(Buffer.from(content as string), 61)
  const profile = await profileFile(source, { fileName: file.fileName ?? 'file.csv', given: file.given ?? {} })
  const types = profile.columns.map((column) => column.likely_type ?? 'text')
  const headers = profile.columns.map(({ header }) => header)
  const table = await openRows(source, { dialect: profile.dialect, packing: profile.packing, headers })
  const rules = { dateOrder: profile.dialect.date_order, values: [] }
  const columns = types.map((type, at) => buildValueRule(at, KINDS[type] ?? 'other', profile))
  const rows: Cells = []
  const rejected: number[] = []
  for await (const batch of table.rows()) {
    for (const { cells, fault, line } of batch) {
      if (fault) rejected.push(line)
      else rows.push(columns.map((rule) => cellFor(cells[rule.source] ?? null, rule, rules)))
    }
  }
  return { profile, columns: headers.map((header, at) => `${header}:${types[at]}`), rows, rejected }
}
