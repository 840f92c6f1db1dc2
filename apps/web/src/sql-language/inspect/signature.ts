import type { Catalogue } from '../catalogue/catalogue.ts'
import { asToken, isGroup, listGroupsAt, readGroups } from '../text/groups.ts'
import { splitAtCommas } from '../text/query-parts.ts'
import { readStatementAround } from '../text/statements.ts'
import { isName, isSign, readTokens, toName } from '@trellis/sql-grammar/tokens'

interface Signature {
  readonly label: string
  readonly parameters: readonly string[]
  readonly comment: string | null
}

export interface SignatureAnswer {
  readonly signatures: readonly Signature[]
  readonly active: number
  readonly argument: number
}

export function findSignature(sql: string, offset: number, catalogue: Catalogue): SignatureAnswer | undefined {
  const tokens = readStatementAround(readTokens(sql), offset)
  const root = readGroups(tokens, Math.max(offset, tokens.at(-1)?.end ?? 0))
  const groups = listGroupsAt(root, offset)
  const group = groups.at(-1)
  const around = groups.at(-2)
  if (!group || !around) return undefined
  const called = asToken(around.nodes[around.nodes.indexOf(group) - 1])
  if (!isName(called)) return undefined
  const functions = catalogue.findFunctions(toName(called))
  if (functions.length === 0) return undefined
  const argument = group.nodes.filter((node) => isSign(asToken(node), ',') && node.start < offset).length
  const signatures = functions.map((other) => {
    const parameters = splitArguments(other.arguments)
    return { label: `${other.name}(${other.arguments}) → ${other.result}`, parameters, comment: other.comment }
  })
  const active = signatures.findIndex(
    ({ parameters }) => parameters.length > argument || parameters.at(-1)?.startsWith('VARIADIC'),
  )
  return { signatures, active: Math.max(0, active), argument }
}

/** `numeric(10,2), text` has one separating comma. */
function splitArguments(text: string): string[] {
  if (text === '') return []
  const { nodes } = readGroups(readTokens(text), text.length)
  return splitAtCommas(nodes).map((piece) => {
    const [first] = piece
    const last = piece.at(-1)
    return first && last ? text.slice(first.start, last.end + (isGroup(last) ? 1 : 0)) : ''
  })
}
