import type { TableKind } from '@trellis/contract/explorer/explorer.schemas'
import { Copy, Download, Eye, FileText, Info, Pencil, Plus, Tag, Trash2, Upload } from 'lucide-react'
import type * as z from 'zod/mini'
import { showToast } from '../../ui/feedback/toasts.ts'
import type { MenuItem } from '../../ui/overlays/MenuPanel.tsx'
import { useOpenDialog } from './dialogs/dialog-context.ts'
import type { SchemaAddress, TableAddress } from './explorer-paths.ts'
import { useExplorer } from './use-explorer.ts'

type Kind = z.infer<typeof TableKind>

/** Rows can be written to these from a file. */
export const takesRows = (kind: Kind) => kind === 'table' || kind === 'partitioned_table'

function copyName(name: string): void {
  void navigator.clipboard.writeText(name).then(() => showToast({ tone: 'success', text: 'Name copied.' }))
}

/** What can be done with a table or schema, wherever it is listed. What one may not do is left out. */
export function useNodeMenus() {
  const { can, paths } = useExplorer()
  const open = useOpenDialog()
  const canWrite = can('explorer:write')
  const canUpload = can('uploads:write')

  const tableMenu = (at: TableAddress, kind: Kind): MenuItem[][] => [
    [
      { label: 'Preview', icon: <Eye aria-hidden />, to: paths.table(at) },
      { label: 'Details', icon: <Info aria-hidden />, to: paths.table(at, 'details') },
      { label: 'Description', icon: <FileText aria-hidden />, to: paths.table(at, 'description') },
    ],
    [
      ...(canUpload && takesRows(kind)
        ? [{ label: 'Upload into…', icon: <Upload aria-hidden />, to: paths.table(at, 'upload') }]
        : []),
      { label: 'Export…', icon: <Download aria-hidden />, onSelect: () => open({ kind: 'export', at }) },
      { label: 'Copy name', icon: <Copy aria-hidden />, onSelect: () => copyName(at.table) },
    ],
    canWrite
      ? [
          { label: 'Labels…', icon: <Tag aria-hidden />, onSelect: () => open({ kind: 'table-labels', at }) },
          { label: 'Rename…', icon: <Pencil aria-hidden />, onSelect: () => open({ kind: 'rename', at }) },
          {
            label: 'Delete…',
            icon: <Trash2 aria-hidden />,
            isDanger: true,
            onSelect: () => open({ kind: 'delete', at }),
          },
        ]
      : [],
  ]

  const schemaMenu = (at: SchemaAddress): MenuItem[][] => [
    [
      { label: 'Open', icon: <Eye aria-hidden />, to: paths.schema(at) },
      { label: 'Copy name', icon: <Copy aria-hidden />, onSelect: () => copyName(at.schema) },
    ],
    [
      ...(canUpload
        ? [{ label: 'Upload file…', icon: <Upload aria-hidden />, to: paths.schema(at, 'files/new') }]
        : []),
      ...(canWrite
        ? [{ label: 'New table…', icon: <Plus aria-hidden />, onSelect: () => open({ kind: 'create-table', at }) }]
        : []),
    ],
    can('explorer:manage')
      ? [
          { label: 'Rename…', icon: <Pencil aria-hidden />, onSelect: () => open({ kind: 'rename', at }) },
          {
            label: 'Delete…',
            icon: <Trash2 aria-hidden />,
            isDanger: true,
            onSelect: () => open({ kind: 'delete', at }),
          },
        ]
      : [],
  ]

  const databaseMenu = (database: string): MenuItem[][] => [
    [
      { label: 'Open', icon: <Eye aria-hidden />, to: paths.database(database) },
      { label: 'Copy code', icon: <Copy aria-hidden />, onSelect: () => copyName(database) },
    ],
    can('explorer:manage')
      ? [
          {
            label: 'New schema…',
            icon: <Plus aria-hidden />,
            onSelect: () => open({ kind: 'create-schema', database }),
          },
        ]
      : [],
  ]

  const filled = (groups: MenuItem[][]) => groups.filter((group) => group.length > 0)
  return {
    tableMenu: (at: TableAddress, kind: Kind) => filled(tableMenu(at, kind)),
    schemaMenu: (at: SchemaAddress) => filled(schemaMenu(at)),
    databaseMenu: (database: string) => filled(databaseMenu(database)),
  }
}
