import { loadCells } from '../load-cells.ts'
import type { RandomValue } from './random-values.ts'
import type { RandomFile } from './write-random.ts'

export const toNumber = (text: string): string => {
  if (!/^-?\d*\.?\d+(?:[eE][+-]?\d+)?$/.test(text)) return `? ${text}`
  if (/[eE]/.test(text)) return String(Number(text))
  const [, sign = '', whole = '', part = ''] = /^(-?)0*(\d*)\.?(\d*)$/.exec(text) ?? []
  const digits = part.replace(/0+$/, '')
  const plain = `${whole.replace(/^0+/, '') || '0'}${digits === '' ? '' : `.${digits}`}`
  return plain === '0' ? '0' : sign + plain
}
const toMoment = (text: string) => text.replace('T', ' ').replace(/ 00:00:00$/, '')

function isSame(type: string, found: string | null, { written, meant, kind }: RandomValue): boolean {
  if (found === null) return meant === null
  if (type === 'text') return found === written
  if (['integer', 'decimal', 'float'].includes(type)) {
    return kind === 'number'
      ? toNumber(found) === toNumber(meant ?? '')
      : toNumber(found) === toNumber(written) && !/^0\d/.test(written)
  }
  if (type === 'date' || type === 'timestamp') {
    return kind === 'date' || kind === 'timestamp' ? toMoment(found) === toMoment(meant ?? '') : false
  }
  if (type === 'boolean') return kind === 'boolean' ? /^(?:t|y|on)/i.test(found) === (meant === 'true') : false
  return found === written
}

/** A difference without a warning. */
export async function findSilentFault(file: RandomFile): Promise<string | undefined> {
  const { table, hasHeader, extraRows } = file
  const { profile, columns, rows, rejected } = await loadCells({ content: file.bytes })
  const types = columns.map((column) => column.slice(column.lastIndexOf(':') + 1))
  const about = () =>
    JSON.stringify({ dialect: profile.dialect, columns, rows: rows.slice(0, 3), warnings: profile.warnings })
  if (profile.warnings.length > 0) return undefined
  // With text only, a header cannot be detected; the second reading must be offered.
  const isOffered = profile.second_readings?.some(({ dialect }) => dialect.has_header !== undefined) === true
  if (isOffered && profile.dialect.has_header !== hasHeader) return undefined
  if (columns.length !== table.headers.length)
    return `columns: ${columns.length} for ${table.headers.length} ${about()}`
  if (rows.length + rejected.length !== table.rows.length + extraRows + 0)
    return `rows: ${rows.length} for ${table.rows.length} ${about()}`
  if (hasHeader && profile.columns.some(({ header }, at) => header !== table.headers[at])) return `headers ${about()}`
  for (const [line, row] of table.rows.entries()) {
    for (const [at, value] of row.entries()) {
      const found = rows[line]?.[at] ?? null
      if (!isSame(types[at] ?? '', found, value))
        return `cell ${line},${at}: ${JSON.stringify(value)} is ${JSON.stringify(found)} ${about()}`
    }
  }
  return undefined
}
