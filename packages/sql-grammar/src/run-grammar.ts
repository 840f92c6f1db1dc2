import type { RawStmt } from 'libpg-query'
import { type GrammarModule, discardGrammar, loadGrammar } from './load-grammar.ts'

/** A parse tree takes about fifty times the memory of its text. */
export const MAX_SQL_LENGTH = 1_000_000

/** The recursive walks over the tree must fit the small stack of a browser's worker; an operator takes two levels. */
const MAX_DEPTH = 3000
const TOO_DEEP = 'This SQL is nested too deeply to be read.'

interface GrammarError {
  readonly message: string
  readonly offset: number
}

export interface ScannedToken {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly tokenName: string
}

export type Outcome<Value> = { readonly value: Value } | { readonly error: GrammarError }

export async function runParser(sql: string): Promise<Outcome<RawStmt[]>> {
  // A stack overflow would force the module to be loaded again, which is slow.
  if (countParentheses(sql) > MAX_DEPTH) return refuse(TOO_DEEP, '')
  return await withText(sql, (module, text) => {
    const result = module._wasm_parse_query_raw(text)
    if (!result) return { error: { message: 'There is not enough memory to read this SQL.', offset: 0 } }
    try {
      const error = module.getValue(result + 8, 'i32')
      if (error) return { error: readError(module, error) }
      const tree = JSON.parse(module.UTF8ToString(module.getValue(result, 'i32'))) as { stmts?: RawStmt[] }
      if (isTooDeep(tree)) return refuse(TOO_DEEP, '')
      return { value: tree.stmts ?? [] }
    } finally {
      module._wasm_free_parse_result(result)
    }
  })
}

export async function runScanner(sql: string): Promise<ScannedToken[] | undefined> {
  const outcome = await withText(sql, (module, text) => {
    const result = module._wasm_scan(text)
    try {
      return { value: module.UTF8ToString(result) }
    } finally {
      module._wasm_free_string(result)
    }
  })
  if (!('value' in outcome) || !outcome.value.startsWith('{')) return undefined
  return (JSON.parse(outcome.value) as { tokens: ScannedToken[] }).tokens
}

function readError(module: GrammarModule, error: number): GrammarError {
  const message = module.getValue(error, 'i32')
  return {
    message: message ? module.UTF8ToString(message) : 'This is not valid SQL.',
    offset: Math.max(0, module.getValue(error + 16, 'i32') - 1),
  }
}

async function withText<Value>(
  sql: string,
  use: (module: GrammarModule, text: number) => Outcome<Value>,
): Promise<Outcome<Value>> {
  // The grammar stops at NUL: the rest would run without having been checked.
  const nul = sql.indexOf('\0')
  if (nul !== -1) return refuse('SQL can not hold a character with the number 0.', sql.slice(0, nul))
  if (sql.length > MAX_SQL_LENGTH) return refuse('This SQL is longer than a million characters.', '')
  const module = await loadGrammar()
  const bytes = module.lengthBytesUTF8(sql) + 1
  const text = module._malloc(bytes)
  try {
    module.stringToUTF8(sql, text, bytes)
    const outcome = use(module, text)
    module._free(text)
    return outcome
  } catch (error) {
    discardGrammar()
    if (isOverflow(error)) return refuse(TOO_DEEP, '')
    throw error
  }
}

/** Upper bound of the nesting, since it also counts those in strings and comments. */
function countParentheses(sql: string): number {
  let [open, most] = [0, 0]
  for (let at = 0; at < sql.length; at += 1) {
    const code = sql.charCodeAt(at)
    if (code === OPENING) most = Math.max(most, (open += 1))
    else if (code === CLOSING && open > 0) open -= 1
  }
  return most
}

const [OPENING, CLOSING] = [0x28, 0x29]

function isTooDeep(tree: object): boolean {
  let level: object[] = [tree]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((node) => Object.values(node).filter((value) => value !== null && typeof value === 'object'))
  }
  return false
}

const isOverflow = (error: unknown): boolean =>
  error instanceof RangeError || (error as { name?: string } | null)?.name === 'RuntimeError'

const refuse = (message: string, before: string): { error: GrammarError } => ({
  error: { message, offset: [...before].length },
})
