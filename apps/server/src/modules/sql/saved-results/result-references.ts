import { randomBytes } from 'node:crypto'
import { RESULT_SCHEMA } from '@trellis/workspace-db/rows/result-tables'

/** `@result.<job id>`, or `@result.<job id>_2` for the second statement. */
const REFERENCE =
  /@result\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:_([1-9]\d{0,2}))?(?![\w-])/iy

export interface ResultReference {
  readonly start: number
  readonly end: number
  readonly jobId: string
  readonly statement: number
}

export const mayHaveReferences = (sql: string): boolean => /@result\./i.test(sql)

export function listReferences(sql: string): ResultReference[] {
  // Tokenising blocks the event loop, and most texts have no reference.
  if (!mayHaveReferences(sql)) return []
  const resultReferences: ResultReference[] = []
  for (let at = 0; at < sql.length;) {
    const skipped = skipQuoted(sql, at)
    if (skipped > at) {
      at = skipped
      continue
    }
    REFERENCE.lastIndex = at
    const [text = '', jobId, number] = (sql[at] === '@' && REFERENCE.exec(sql)) || []
    if (jobId === undefined) at += 1
    else {
      resultReferences.push({
        start: at,
        end: at + text.length,
        jobId: jobId.toLowerCase(),
        statement: Number(number ?? 1) - 1,
      })
      at += text.length
    }
  }
  return resultReferences
}

function skipQuoted(sql: string, at: number): number {
  const behind = (end: string, from: number) => {
    const found = sql.indexOf(end, from)
    return found === -1 ? sql.length : found + end.length
  }
  if (sql[at] === "'" || sql[at] === '"') return behind(sql[at] as string, at + 1)
  if (sql.startsWith('--', at)) return behind('\n', at)
  if (sql.startsWith('/*', at)) return behind('*/', at + 2)
  const tag = sql[at] === '$' ? /^\$\w{0,63}\$/.exec(sql.slice(at, at + 70))?.[0] : undefined
  return tag === undefined ? at : behind(tag, at + tag.length)
}

const QUOTES_AND_SCHEMA = `${RESULT_SCHEMA}.""`.length
const toNameLength = ({ start, end }: ResultReference) => end - start - QUOTES_AND_SCHEMA

export const generateTableName = (reference: ResultReference): string =>
  `r${BigInt(`0x${randomBytes(16).toString('hex')}`).toString(36)}`.padEnd(toNameLength(reference), '_')

/** Keeps lengths, so that positions of statements and errors stay valid. */
export function replaceReferences(
  sql: string,
  references: readonly ResultReference[],
  toName: (reference: ResultReference) => string,
): string {
  let text = ''
  let done = 0
  for (const reference of references) {
    text += `${sql.slice(done, reference.start)}${RESULT_SCHEMA}."${toName(reference)}"`
    done = reference.end
  }
  return text + sql.slice(done)
}

export const maskReferences = (sql: string): string =>
  replaceReferences(sql, listReferences(sql), (resultReference) => 'r'.padEnd(toNameLength(resultReference), '0'))
