import type { SqlStatement } from './parse.ts'
import { type FoundReferences, type FunctionReference, type TableReference, toReference } from './references/found.ts'
import { createQueryWalk } from './references/walk-query.ts'
import { walkStatement } from './references/walk-statement.ts'
import type { FindTable } from './table-finder.ts'

export interface References {
  readonly tables: readonly TableReference[]
  readonly functions: readonly FunctionReference[]
  /** Contains code in a string (DO, a function body), whose references are not listed. */
  readonly isOpaque: boolean
}

export interface ReferenceOptions {
  readonly findTable?: FindTable | undefined
}

export function listReferences(statement: SqlStatement, { findTable }: ReferenceOptions = {}): References {
  const references: FoundReferences = {
    tables: new Map(),
    functions: [],
    findTable,
    toOffset: statement.toOffset,
    isOpaque: false,
  }
  walkStatement(createQueryWalk(references), statement.node)
  return {
    tables: [...references.tables.values()].map(toReference),
    functions: references.functions,
    isOpaque: references.isOpaque,
  }
}
