import type { DataflowSummary, Folder } from '@trellis/contract/dataflows/dataflows.schemas'
import { createContext, useContext } from 'react'

export type ListRequest =
  | { kind: 'create-dataflow'; folder: string | null }
  | { kind: 'create-folder'; parent: string | null }
  | { kind: 'rename-dataflow'; dataflow: DataflowSummary }
  | { kind: 'rename-folder'; folder: Folder }
  | { kind: 'move-dataflow'; dataflow: DataflowSummary }
  | { kind: 'move-folder'; folder: Folder }
  | { kind: 'delete-dataflow'; dataflow: DataflowSummary }
  | { kind: 'delete-folder'; folder: Folder }
  | { kind: 'import'; folder: string | null; over?: DataflowSummary }
  | { kind: 'settings'; dataflow: DataflowSummary }
  | { kind: 'inbound-webhook'; dataflow: DataflowSummary }

export const ListDialogContext = createContext<((request: ListRequest) => void) | null>(null)

export function useListDialog(): (request: ListRequest) => void {
  const open = useContext(ListDialogContext)
  if (!open) throw new Error('A list of dataflows stands outside of its dialogs')
  return open
}
