import { parseSql, type SqlStatement } from '@trellis/sql-grammar/parse'

export async function listDestructive(sql: string): Promise<string[]> {
  const { statements } = await parseSql(sql)
  return statements.flatMap(({ node }) =>
    [node, ...listQueries(node)].flatMap((item) => describeDestructive(item) ?? []),
  )
}

interface WithQueries {
  readonly withClause?: { readonly ctes?: readonly { readonly CommonTableExpr?: { readonly ctequery?: Node } }[] }
}

type Node = SqlStatement['node']

/** Includes CTEs, which may delete too. */
function listQueries(node: Node): Node[] {
  const ctes = Object.values(node).flatMap((inside) => (inside as WithQueries | undefined)?.withClause?.ctes ?? [])
  const found = ctes.flatMap(({ CommonTableExpr: { ctequery } = {} }) => ctequery ?? [])
  return found.flatMap((item) => [item, ...listQueries(item)])
}

function describeDestructive(node: Node): string | undefined {
  if ('DeleteStmt' in node && !node.DeleteStmt.whereClause) {
    return `DELETE without WHERE deletes every row of ${node.DeleteStmt.relation?.relname ?? 'the table'}.`
  }
  if ('UpdateStmt' in node && !node.UpdateStmt.whereClause) {
    return `UPDATE without WHERE changes every row of ${node.UpdateStmt.relation?.relname ?? 'the table'}.`
  }
  if ('TruncateStmt' in node) return 'TRUNCATE deletes every row.'
  if ('DropStmt' in node) return 'DROP can not be undone.'
  if ('AlterTableStmt' in node && JSON.stringify(node).includes('"AT_DropColumn"')) {
    return 'DROP COLUMN deletes the values of that column.'
  }
  return undefined
}
