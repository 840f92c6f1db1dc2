import { prepareGrammar } from '@trellis/sql-grammar/load-in-browser'
import { type Catalogue, type CatalogueContent, createCatalogue, EMPTY_CATALOGUE } from '../catalogue/catalogue.ts'
import { findMetaCommandAt } from '../commands/meta-commands.ts'
import { complete } from '../complete/complete.ts'
import { createDiagnoser } from '../inspect/diagnose.ts'
import { describeAt } from '../inspect/hover.ts'
import { findSignature } from '../inspect/signature.ts'
import { listStatements } from '@trellis/sql-grammar/split'
import { blankMetaLines, findStatementAt } from '../text/statements.ts'
import { readTokens } from '@trellis/sql-grammar/tokens'
import type { Question, Questions, Reply } from './protocol.ts'

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

interface LoadedCatalogue {
  readonly content: CatalogueContent
  readonly catalogue: Catalogue
  readonly diagnose: ReturnType<typeof createDiagnoser>
}

const toLoadedCatalogue = (content: CatalogueContent, catalogue: Catalogue): LoadedCatalogue => ({
  content,
  catalogue,
  diagnose: createDiagnoser(catalogue, pause),
})

const databases = new Map<string, LoadedCatalogue>()
const incoming = new Map<string, CatalogueContent>()
const nothing = toLoadedCatalogue(
  { search_path: [], schemas: [], tables: [], foreign_keys: [], functions: [] },
  EMPTY_CATALOGUE,
)
const find = (database: string): LoadedCatalogue => databases.get(database) ?? nothing

/** A new database is usable from its first page; a changed one stays until all pages are loaded. */
function addPage({ database, page, isFirst, isLast }: Questions['addPage']['ask']): null {
  const before = isFirst ? undefined : incoming.get(database)
  const content: CatalogueContent = before
    ? {
        ...before,
        tables: [...before.tables, ...page.tables],
        foreign_keys: [...before.foreign_keys, ...page.foreign_keys],
      }
    : page
  incoming.set(database, content)
  if (isLast || !databases.has(database)) databases.set(database, toLoadedCatalogue(content, createCatalogue(content)))
  if (isLast) incoming.delete(database)
  return null
}

let isPrepared = false
/** Lazy: the parser is half a megabyte. */
function prepare(): void {
  if (!isPrepared) prepareGrammar()
  isPrepared = true
}

async function answer(question: Question): Promise<Questions[Question['kind']]['answer']> {
  switch (question.kind) {
    case 'addPage':
      return addPage(question.ask)
    case 'complete': {
      const { database, sql, offset, snippets } = question.ask
      return complete(sql, offset, { catalogue: find(database).catalogue, snippets })
    }
    case 'describe': {
      const { database, sql, offset } = question.ask
      return describeAt(sql, offset, find(database).catalogue) ?? null
    }
    case 'findSignature': {
      const { database, sql, offset } = question.ask
      return findSignature(sql, offset, find(database).catalogue) ?? null
    }
    case 'diagnose':
      prepare()
      return await find(question.ask.database).diagnose(question.ask.sql)
    case 'format': {
      prepare()
      const { formatSql } = await import('../format/format.ts')
      return await formatSql(question.ask.sql, question.ask.options)
    }
    case 'findStatement': {
      const { sql, offset } = question.ask
      const statements = () => listStatements(readTokens(blankMetaLines(sql)))
      return findMetaCommandAt(sql, offset) ?? findStatementAt(statements(), offset) ?? null
    }
    default:
      return question satisfies never
  }
}

const reply = (message: Reply) => globalThis.postMessage(message, { transfer: [] })

globalThis.addEventListener('message', ({ data }: MessageEvent<Question>) => {
  answer(data).then(
    (found) => reply({ id: data.id, answer: found }),
    (error: unknown) => reply({ id: data.id, problem: error instanceof Error ? error.message : String(error) }),
  )
})
