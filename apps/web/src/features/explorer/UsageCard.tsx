import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'
import { Link } from 'react-router'
import { Card } from '../../ui/layout/Card.tsx'
import { dependentKey, dependentText } from './dependent-words.ts'
import styles from './explorer.module.css'
import type { explorerPaths } from './explorer-paths.ts'
import { useAddress, useExplorer } from './use-explorer.ts'

interface UsageCardProps {
  title: string
  subtitle: string
  items: readonly Dependent[]
}

export function UsageCard({ title, subtitle, items }: UsageCardProps) {
  const { paths } = useExplorer()
  const { database = '' } = useAddress()
  return (
    <Card isFlush title={title} subtitle={subtitle}>
      {items.length === 0 ? (
        <div className={styles.listLine}>
          <span className={styles.soft}>Nothing that Trellis knows of.</span>
        </div>
      ) : (
        <ul className={styles.list} aria-label={title}>
          {items.map((one) => {
            const to = findPath(paths, database, one)
            return (
              <li key={dependentKey(one)} className={styles.listLine}>
                <span>{to === undefined ? dependentText(one) : <Link to={to}>{dependentText(one)}</Link>}</span>
                <span className={styles.soft}>{one.detail}</span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

function findPath(paths: ReturnType<typeof explorerPaths>, database: string, one: Dependent): string | undefined {
  if (one.kind === 'dataflow' && one.code !== null) return paths.dataflow(one.code)
  if (one.kind === 'spark' && one.code !== null) return paths.spark(one.code)
  if (one.kind === 'worksheet' && one.code !== null) return findWorksheetPath(paths, one.code, one.name)
  const isTable = one.kind === 'view' || one.kind === 'materialized_view' || one.kind === 'table'
  if (!isTable || one.schema_name === null) return undefined
  return paths.table({ database, schema: one.schema_name, table: one.name }, 'details')
}

function findWorksheetPath(paths: ReturnType<typeof explorerPaths>, code: string, name: string): string | undefined {
  const [projectId, folderId, fileId] = code.split('/')
  if (!projectId || !folderId || !fileId) return undefined
  const fileName =
    name
      .replace(/ \([^)]*\)$/, '')
      .split('/')
      .at(-1) ?? name
  return paths.worksheet({ projectId, folderId, fileId, name: fileName })
}
