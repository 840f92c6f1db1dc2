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

  const tableMenu = (at: TableAddress, kind: Kind): MenuItem[][] => [
    [
      { label: 'Preview', icon: <Eye aria-hidden />, to: paths.table(at) },
      { label: 'Details', icon: <Info aria-hidden />, to: paths.table(at, 'details') },
      { label: 'Description', icon: <FileText aria-hidden />, to: paths.table(at, 'description') },
      { label: 'Query this table', icon: <FileCode2 aria-hidden />, to: paths.table(at, 'query') },
    ],
    [
      ...(canChange('uploads:write', at.database) && canHoldRows(kind)
        ? [{ label: 'Upload into…', icon: <Upload aria-hidden />, to: paths.table(at, 'upload') }]
        : []),
      { label: 'Export…', icon: <Download aria-hidden />, onSelect: () => open({ kind: 'export', at }) },
      { label: 'Copy name', icon: <Copy aria-hidden />, onSelect: () => copyName(at.table) },
    ],
    [
      ...(can('explorer:write')
        ? [{ label: 'Labels…', icon: <Tag aria-hidden />, onSelect: () => open({ kind: 'table-labels', at }) }]
        : []),
      ...(canChange('explorer:write', at.database) ? changes(at) : []),
    ],
  ]

  const changes = (at: SchemaAddress | TableAddress): MenuItem[] => [
    { label: 'Rename…', icon: <Pencil aria-hidden />, onSelect: () => open({ kind: 'rename', at }) },
    { label: 'Delete…', icon: <Trash2 aria-hidden />, isDanger: true, onSelect: () => open({ kind: 'delete', at }) },
  ]

  const schemaMenu = (at: SchemaAddress): MenuItem[][] => [
    [
      { label: 'Open', icon: <Eye aria-hidden />, to: paths.schema(at) },
      { label: 'Diagram', icon: <Workflow aria-hidden />, to: paths.schema(at, 'diagram') },
      { label: 'Copy name', icon: <Copy aria-hidden />, onSelect: () => copyName(at.schema) },
    ],
    [
      ...(canChange('uploads:write', at.database)
        ? [{ label: 'Upload file…', icon: <Upload aria-hidden />, to: paths.schema(at, 'files/new') }]
        : []),
      ...(canChange('explorer:write', at.database)
        ? [{ label: 'New table…', icon: <Plus aria-hidden />, onSelect: () => open({ kind: 'create-table', at }) }]
        : []),
    ],
    canChange('explorer:manage', at.database) ? changes(at) : [],
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
    tableMenu: (at: TableAddress, kind: Kind) => filled(tableMenu(at, kind)),
    schemaMenu: (at: SchemaAddress) => filled(schemaMenu(at)),
    databaseMenu: (database: string) => filled(databaseMenu(database)),
  }
}
