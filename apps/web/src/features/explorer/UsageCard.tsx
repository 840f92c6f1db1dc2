import type { Dependent } from '@trellis/contract/explorer/explorer.schemas'
import { Link } from 'react-router'
import { Card } from '../../ui/layout/Card.tsx'
import { dependentKey, formatDependent } from './dependent-words.ts'
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
          {items.map((item) => {
            const to = findPath(paths, database, item)
            return (
              <li key={dependentKey(item)} className={styles.listLine}>
                <span>{to === undefined ? formatDependent(item) : <Link to={to}>{formatDependent(item)}</Link>}</span>
                <span className={styles.soft}>{item.detail}</span>
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

function findPath(paths: ReturnType<typeof explorerPaths>, database: string, dependent: Dependent): string | undefined {
  if (dependent.kind === 'dataflow' && dependent.code !== null) return paths.dataflow(dependent.code)
  if (dependent.kind === 'spark' && dependent.code !== null) return paths.spark(dependent.code)
  if (dependent.kind === 'worksheet' && dependent.code !== null)
    return findWorksheetPath(paths, dependent.code, dependent.name)
  const isTable = dependent.kind === 'view' || dependent.kind === 'materialized_view' || dependent.kind === 'table'
  if (!isTable || dependent.schema_name === null) return undefined
  return paths.table({ database, schema: dependent.schema_name, table: dependent.name }, 'details')
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
