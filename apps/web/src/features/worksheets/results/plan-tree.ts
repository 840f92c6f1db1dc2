export interface PlanNode {
  readonly title: string
  readonly facts: readonly string[]
  /** Exclusive time, or cost without ANALYZE. */
  readonly own: number
  readonly isCostly: boolean
  readonly children: readonly PlanNode[]
}

type RawNode = Readonly<Record<string, unknown>> & { readonly Plans?: readonly RawNode[] }

/** Share of the total from which a step is highlighted. */
const COSTLY_SHARE = 0.3

export function buildPlanTree(plan: unknown): PlanNode | null {
  const root = (plan as { Plan?: RawNode }[] | null)?.[0]?.Plan
  if (!root) return null
  const total = getTotal(root)
  return toNode(root, total)
}

const getNumber = (node: RawNode, name: string): number => (typeof node[name] === 'number' ? node[name] : 0)

/** EXPLAIN reports averages per loop. */
const getTotal = (node: RawNode): number =>
  'Actual Total Time' in node
    ? getNumber(node, 'Actual Total Time') * Math.max(1, getNumber(node, 'Actual Loops'))
    : getNumber(node, 'Total Cost')

function toNode(node: RawNode, total: number): PlanNode {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + getTotal(child), 0)
  const own = Math.max(0, getTotal(node) - below)
  const isRun = 'Actual Rows' in node
  const facts = [
    isRun
      ? `${getNumber(node, 'Actual Rows') * Math.max(1, getNumber(node, 'Actual Loops'))} rows (${getNumber(node, 'Plan Rows')} expected)`
      : `${getNumber(node, 'Plan Rows')} rows expected`,
    isRun ? `${own.toFixed(1)} ms` : `cost ${own.toFixed(0)}`,
    ...['Filter', 'Index Cond', 'Hash Cond', 'Join Filter', 'Sort Key', 'Group Key']
      .filter((name) => name in node)
      .map((name) => `${name}: ${String(node[name])}`),
  ]
  const on = typeof node['Relation Name'] === 'string' ? ` on ${node['Relation Name']}` : ''
  return {
    title: `${String(node['Node Type'])}${on}`,
    facts,
    own,
    isCostly: total > 0 && own / total >= COSTLY_SHARE,
    children: (node.Plans ?? []).map((child) => toNode(child, total)),
  }
}
