import { createContext, useContext } from 'react'
import type { SchemaAddress, TableAddress } from '../explorer-paths.ts'
import type { RowsView } from '../rows.queries.ts'

export type DialogRequest =
  | { kind: 'create-schema'; database: string }
  | { kind: 'create-table'; address: SchemaAddress }
  | { kind: 'rename'; address: SchemaAddress & { table?: string } }
  | { kind: 'delete'; address: SchemaAddress & { table?: string } }
  | { kind: 'export'; address: TableAddress; view?: RowsView }
  | { kind: 'exports' }
  | { kind: 'table-labels'; address: TableAddress }
  | { kind: 'labels' }

export const DialogContext = createContext<(request: DialogRequest) => void>(() => {
  throw new Error('A dialog of the explorer was asked for outside of its frame')
})

export function useOpenDialog(): (request: DialogRequest) => void {
  return useContext(DialogContext)
}
