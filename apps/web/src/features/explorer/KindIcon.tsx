import type { TableKind } from '@trellis/contract/explorer/explorer.schemas'
import { Database, FolderClosed, Globe, Layers, Table2, View, type LucideIcon } from 'lucide-react'
import type * as z from 'zod/mini'
import styles from './explorer.module.css'

export type NodeKind = z.infer<typeof TableKind> | 'database' | 'schema'

const KINDS: Record<NodeKind, { icon: LucideIcon; word: string }> = {
  database: { icon: Database, word: 'Database' },
  schema: { icon: FolderClosed, word: 'Schema' },
  table: { icon: Table2, word: 'Table' },
  partitioned_table: { icon: Layers, word: 'Partitioned table' },
  view: { icon: View, word: 'View' },
  materialized_view: { icon: View, word: 'Materialized view' },
  foreign_table: { icon: Globe, word: 'Foreign table' },
}

export const describeKind = (kind: NodeKind): string => KINDS[kind].word

/** Hidden from screen readers when the text beside it says it. */
export function KindIcon({ kind, isSilent = false }: { kind: NodeKind; isSilent?: boolean }) {
  const { icon: Icon, word } = KINDS[kind]
  return (
    <>
      <Icon aria-hidden className={styles.kind} data-kind={kind} />
      {!isSilent && <span className="visually-hidden">{word} </span>}
    </>
  )
}
