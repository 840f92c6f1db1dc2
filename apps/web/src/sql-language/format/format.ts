import { parseSql } from '@trellis/sql-grammar/parse'
import { formatDialect, postgresql } from 'sql-formatter'
import { toParsable } from '../inspect/parsable.ts'
import { listMetaLines } from '../text/statements.ts'
import { readTokens } from '@trellis/sql-grammar/tokens'

export interface FormatOptions {
  readonly tabSize: number
  readonly keywordCase: 'preserve' | 'upper' | 'lower'
}

export type FormatAnswer = { readonly text: string } | { readonly problem: string }

const UNREADABLE = 'Fix the syntax error first: only SQL that can be read is formatted.'
const UNSAFE = 'This SQL was left as it is: formatting would have changed what it means.'

/** Returns the text only when PostgreSQL parses it to the same tree and no comment is lost. */
export async function formatSql(sql: string, { tabSize, keywordCase }: FormatOptions): Promise<FormatAnswer> {
  if (listMetaLines(sql).length > 0) return { problem: 'A text with psql commands can’t be formatted.' }
  const before = await createFingerprint(sql)
  if (before === undefined) return { problem: UNREADABLE }
  let text: string
  try {
    text = formatDialect(sql, {
      dialect: postgresql,
      tabWidth: tabSize,
      keywordCase,
      linesBetweenQueries: 1,
      paramTypes: {
        named: [':'],
        numbered: ['$'],
        custom: [{ regex: String.raw`@result\.[0-9a-fA-F-]{36}(?:_\d+)?` }],
      },
    })
  } catch {
    return { problem: UNSAFE }
  }
  const after = await createFingerprint(text)
  return after === before ? { text: sql.endsWith('\n') ? `${text}\n` : text } : { problem: UNSAFE }
}

/** The parse tree without locations, plus the comments. */
async function createFingerprint(sql: string): Promise<string | undefined> {
  const { statements, errors } = await parseSql(toParsable(sql))
  if (errors.length > 0) return undefined
  const trees = statements.map(({ node }) =>
    JSON.stringify(node, (key, value: unknown) => (/location$|^stmt_len$/.test(key) ? undefined : value)),
  )
  const tokens = readTokens(sql)
  const comments = tokens
    .filter(({ kind }) => kind === 'comment')
    .map(({ text }) => text.replaceAll(/\s+/g, ' ').trim())
  const names = tokens.flatMap(({ text }, at) => (text === ':' ? [tokens[at + 1]?.text] : []))
  return JSON.stringify([trees, comments, names])
}
