import { buildPlanTree, type PlanNode } from './plan-tree.ts'
import styles from './results.module.css'

export function PlanView({ plan }: { plan: unknown }) {
  const root = buildPlanTree(plan)
  if (!root) return <p className={styles.message}>There is no plan for this statement.</p>
  return (
    <ul className={styles.plan} aria-label="Query plan" tabIndex={0}>
      <Step node={root} />
    </ul>
  )
}

function Step({ node }: { node: PlanNode }) {
  return (
    <li>
      <div className={styles.node} data-costly={node.isCostly}>
        <strong>{node.title}</strong>
        {node.isCostly && <small>Takes most of the time</small>}
        {node.facts.map((fact) => (
          <small key={fact}>{fact}</small>
        ))}
      </div>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child, index) => (
            <Step key={index} node={child} />
          ))}
        </ul>
      )}
    </li>
  )
}
