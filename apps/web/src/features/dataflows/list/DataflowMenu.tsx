import type { DataflowSummary } from '@trellis/contract/dataflows/dataflows.schemas'
import {
  FileDown,
  FileUp,
  FolderInput,
  ListChecks,
  Pause,
  Pencil,
  Play,
  Settings2,
  Trash2,
  Webhook,
  Workflow,
} from 'lucide-react'
import { RowActions } from '../../../ui/data/RowActions.tsx'
import type { MenuItem } from '../../../ui/overlays/Menu.tsx'
import { useDataflowsScope, useUpdateDataflow } from '../dataflows.queries.ts'
import { useExport } from '../use-export.ts'
import { useListDialog } from './list-dialogs.ts'

export function DataflowMenu({ dataflow, isInEditor = false }: { dataflow: DataflowSummary; isInEditor?: boolean }) {
  const { address, paths, canWrite } = useDataflowsScope()
  const open = useListDialog()
  const update = useUpdateDataflow()
  const saveYaml = useExport()
  const { trellis_code: code, name, is_paused } = dataflow
  const go: MenuItem[] = [
    { label: 'Open', icon: <Workflow aria-hidden />, to: paths.editor(code) },
    { label: 'Runs', icon: <ListChecks aria-hidden />, to: paths.logs(code) },
  ]
  const viewItems: MenuItem[] = [
    ...(isInEditor ? [] : go),
    {
      label: 'Start by webhook…',
      icon: <Webhook aria-hidden />,
      onSelect: () => open({ kind: 'inbound-webhook', dataflow }),
    },
    { label: 'Export as YAML', icon: <FileDown aria-hidden />, onSelect: () => saveYaml(dataflow) },
  ]
  const change: MenuItem[] = [
    { label: 'Rename…', icon: <Pencil aria-hidden />, onSelect: () => open({ kind: 'rename-dataflow', dataflow }) },
    {
      label: 'Settings and alerts…',
      icon: <Settings2 aria-hidden />,
      onSelect: () => open({ kind: 'settings', dataflow }),
    },
    {
      label: 'Update from YAML…',
      icon: <FileUp aria-hidden />,
      onSelect: () => open({ kind: 'import', folder: null, over: dataflow }),
    },
    { label: 'Move to…', icon: <FolderInput aria-hidden />, onSelect: () => open({ kind: 'move-dataflow', dataflow }) },
    {
      label: is_paused ? 'Go on' : 'Pause',
      note: is_paused ? 'Schedules and triggers start it again' : 'Nothing starts by itself until it goes on',
      icon: is_paused ? <Play aria-hidden /> : <Pause aria-hidden />,
      onSelect: () =>
        update.mutate({ params: { ...address, relative_trellis_code: code }, body: { is_paused: !is_paused } }),
    },
  ]
  const remove: MenuItem[] = [
    {
      label: 'Delete…',
      icon: <Trash2 aria-hidden />,
      isDanger: true,
      onSelect: () => open({ kind: 'delete-dataflow', dataflow }),
    },
  ]
  return <RowActions label={`Actions for ${name}`} groups={canWrite ? [viewItems, change, remove] : [viewItems]} />
}
