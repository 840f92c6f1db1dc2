import type { Dashboard } from '@trellis/contract/dashboard/dashboard.schemas'
import { FileCode2, MessageSquare, Table2 } from 'lucide-react'
import { Link } from 'react-router'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import styles from './health.module.css'
import type { HomeScope } from './use-home-scope.ts'

const MAX_SHOWN = 7

export function RecentCard({ dashboard, scope }: { dashboard: Dashboard; scope: HomeScope }) {
  const items = [
    ...dashboard.recent_worksheets.map((recentWorksheet) => ({
      at: recentWorksheet.opened_at,
      to: scope.worksheet(recentWorksheet),
      icon: FileCode2,
      name: recentWorksheet.name,
      detail: `Worksheet in ${recentWorksheet.project_name}`,
    })),
    ...dashboard.recent_tables.map((recentTable) => ({
      at: recentTable.opened_at,
      to: scope.inDatabase(recentTable.integration_trellis_code, recentTable.schema_name, recentTable.table_name),
      icon: Table2,
      name: recentTable.table_name,
      detail: `Table in ${recentTable.schema_name}`,
    })),
    ...dashboard.recent_chats.map((recentChat) => ({
      at: recentChat.updated_at,
      to: scope.chat(recentChat.conversation_trellis_code),
      icon: MessageSquare,
      name: recentChat.name,
      detail: 'Chat',
    })),
  ].toSorted((a, b) => b.at.localeCompare(a.at))
  return (
    <Card isFlush title="Recent">
      {items.length === 0 ? (
        <p className={styles.none}>Worksheets, tables and chats that you open are listed here.</p>
      ) : (
        <ul className={styles.list} aria-label="Recent">
          {items.slice(0, MAX_SHOWN).map(({ at, to, icon: Icon, name, detail }) => (
            <li key={to}>
              <Icon aria-hidden className={styles.icon} />
              <span className={styles.what}>
                <Link to={to}>{name}</Link>
                <span className={styles.why}>{detail}</span>
              </span>
              <span className={styles.when}>
                <DateTime value={at} format="relative" />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
