import type { TableKind } from '@trellis/contract/explorer/explorer.schemas'
import {
  Copy,
  Download,
  Eye,
  FileCode2,
  FileText,
  Info,
  Pencil,
  Plus,
  Tag,
  Trash2,
  Upload,
  Workflow,
} from 'lucide-react'
import type * as z from 'zod/mini'
import { showToast } from '../../ui/feedback/toasts.ts'
import type { MenuItem } from '../../ui/overlays/MenuPanel.tsx'
import { useOpenDialog } from './dialogs/dialog-context.ts'
import type { SchemaAddress, TableAddress } from './explorer-paths.ts'
import { useExplorer } from './use-explorer.ts'

type Kind = z.infer<typeof TableKind>

export const canHoldRows = (kind: Kind) => kind === 'table' || kind === 'partitioned_table'

function copyName(name: string): void {
  void navigator.clipboard.writeText(name).then(() => showToast({ tone: 'success', text: 'Name copied.' }))
}

export function useNodeMenus() {
  const { can, canChange, paths } = useExplorer()
  const open = useOpenDialog()

  const tableMenu = (address: TableAddress, kind: Kind): MenuItem[][] => [
    [
      { label: 'Preview', icon: <Eye aria-hidden />, to: paths.table(address) },
      { label: 'Details', icon: <Info aria-hidden />, to: paths.table(address, 'details') },
      { label: 'Description', icon: <FileText aria-hidden />, to: paths.table(address, 'description') },
      { label: 'Query this table', icon: <FileCode2 aria-hidden />, to: paths.table(address, 'query') },
    ],
    [
      ...(canChange('uploads:write', address.database) && canHoldRows(kind)
        ? [{ label: 'Upload into…', icon: <Upload aria-hidden />, to: paths.table(address, 'upload') }]
        : []),
      { label: 'Export…', icon: <Download aria-hidden />, onSelect: () => open({ kind: 'export', address }) },
      { label: 'Copy name', icon: <Copy aria-hidden />, onSelect: () => copyName(address.table) },
    ],
    [
      ...(can('explorer:write')
        ? [{ label: 'Labels…', icon: <Tag aria-hidden />, onSelect: () => open({ kind: 'table-labels', address }) }]
        : []),
      ...(canChange('explorer:write', address.database) ? changes(address) : []),
    ],
  ]

  const changes = (address: SchemaAddress | TableAddress): MenuItem[] => [
    { label: 'Rename…', icon: <Pencil aria-hidden />, onSelect: () => open({ kind: 'rename', address }) },
    {
      label: 'Delete…',
      icon: <Trash2 aria-hidden />,
      isDanger: true,
      onSelect: () => open({ kind: 'delete', address }),
    },
  ]

  const schemaMenu = (address: SchemaAddress): MenuItem[][] => [
    [
      { label: 'Open', icon: <Eye aria-hidden />, to: paths.schema(address) },
      { label: 'Diagram', icon: <Workflow aria-hidden />, to: paths.schema(address, 'diagram') },
      { label: 'Copy name', icon: <Copy aria-hidden />, onSelect: () => copyName(address.schema) },
    ],
    [
      ...(canChange('uploads:write', address.database)
        ? [{ label: 'Upload file…', icon: <Upload aria-hidden />, to: paths.schema(address, 'files/new') }]
        : []),
      ...(canChange('explorer:write', address.database)
        ? [{ label: 'New table…', icon: <Plus aria-hidden />, onSelect: () => open({ kind: 'create-table', address }) }]
        : []),
    ],
    canChange('explorer:manage', address.database) ? changes(address) : [],
  ]

  const databaseMenu = (database: string): MenuItem[][] => [
    [
      { label: 'Open', icon: <Eye aria-hidden />, to: paths.database(database) },
      { label: 'Copy code', icon: <Copy aria-hidden />, onSelect: () => copyName(database) },
    ],
    canChange('explorer:manage', database)
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
    tableMenu: (address: TableAddress, kind: Kind) => filled(tableMenu(address, kind)),
    schemaMenu: (address: SchemaAddress) => filled(schemaMenu(address)),
    databaseMenu: (database: string) => filled(databaseMenu(database)),
  }
}
