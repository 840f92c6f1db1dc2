import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import {
  Cable,
  CalendarRange,
  CircleHelp,
  CopyPlus,
  Group,
  ListChecks,
  Pencil,
  Play,
  Settings2,
  StepForward,
  StickyNote,
  Trash2,
  Ungroup,
  Upload,
} from 'lucide-react'
import { Kbd } from '../../../ui/data/Kbd.tsx'
import type { MenuItem } from '../../../ui/overlays/MenuPanel.tsx'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { formatFaultCount } from '../status-labels.ts'
import type { CanvasRequest } from './canvas-requests.ts'
import type { CanvasActions } from './work/use-canvas-actions.ts'
import { useRun } from './work/use-run.ts'

interface BlockMenuOptions {
  actions: CanvasActions
  canWrite: boolean
  onRequest: (request: CanvasRequest) => void
  onStarted: () => void
}

const NOT_YET = 'Publish it first'

export function useBlockMenu({ actions, canWrite, onRequest, onStarted }: BlockMenuOptions) {
  const { paths } = useDataflowsScope()
  const run = useRun(onStarted)

  const look = (block: BlockCard): MenuItem[] => {
    const { dataflow_trellis_code: flow, task_block_trellis_code: code } = block
    return [
      {
        label: canWrite ? 'Set up' : 'Look at the set-up',
        icon: <Settings2 aria-hidden />,
        end: <Kbd keys="enter" />,
        to: paths.setup(flow, code),
      },
      { label: 'Runs of this block', icon: <ListChecks aria-hidden />, to: paths.blockLogs(flow, code) },
      {
        label: 'When does it run?',
        icon: <CircleHelp aria-hidden />,
        onSelect: () => onRequest({ kind: 'trigger', block }),
      },
    ]
  }
  const start = (block: BlockCard): MenuItem[] => {
    const isDisabled = block.published_version === null
    return [
      {
        label: 'Run this block',
        icon: <Play aria-hidden />,
        isDisabled,
        ...(isDisabled && { note: NOT_YET }),
        onSelect: () => void run([block], 'block'),
      },
      {
        label: 'Run from here',
        icon: <StepForward aria-hidden />,
        isDisabled,
        note: isDisabled ? NOT_YET : 'And everything that waits for it',
        onSelect: () => void run([block], 'from_here'),
      },
      {
        label: 'Run…',
        icon: <CalendarRange aria-hidden />,
        isDisabled,
        note: isDisabled
          ? NOT_YET
          : block.kind === 'Source'
            ? 'Past days, or everything again'
            : 'Alone or from here on',
        onSelect: () => onRequest({ kind: 'run', block }),
      },
      {
        label: 'Publish…',
        icon: <Upload aria-hidden />,
        isDisabled: block.publish_state === 'published' || block.faults.length > 0,
        ...(block.faults.length > 0 && { note: formatFaultCount(block.faults.length) }),
        onSelect: () => onRequest({ kind: 'publish', block }),
      },
    ]
  }
  const change = (block: BlockCard): MenuItem[] => {
    const code = block.task_block_trellis_code
    const group = block.metadata.group_trellis_code
    return [
      {
        label: 'Arrows…',
        icon: <Cable aria-hidden />,
        end: <Kbd keys="c" />,
        onSelect: () => onRequest({ kind: 'connect', block }),
      },
      {
        label: 'Rename…',
        icon: <Pencil aria-hidden />,
        end: <Kbd keys="f2" />,
        onSelect: () => onRequest({ kind: 'rename', block }),
      },
      {
        label: block.metadata.note === '' ? 'Add a note…' : 'Note…',
        icon: <StickyNote aria-hidden />,
        end: <Kbd keys="n" />,
        onSelect: () => onRequest({ kind: 'note', block }),
      },
      {
        label: 'Duplicate',
        icon: <CopyPlus aria-hidden />,
        end: <Kbd keys="mod+d" />,
        onSelect: () => void actions.duplicate([code]),
      },
      group === null
        ? {
            label: 'Add to group…',
            icon: <Group aria-hidden />,
            onSelect: () => onRequest({ kind: 'add-to-group', codes: [code] }),
          }
        : {
            label: 'Remove from the group',
            icon: <Ungroup aria-hidden />,
            onSelect: () => void actions.moveToGroup([code], null),
          },
    ]
  }
  const remove = (block: BlockCard): MenuItem[] => [
    {
      label: 'Delete',
      icon: <Trash2 aria-hidden />,
      end: <Kbd keys="del" />,
      isDanger: true,
      onSelect: () => void actions.remove([block.task_block_trellis_code]),
    },
  ]
  return {
    run,
    getMenuGroups: (block: BlockCard): MenuItem[][] =>
      canWrite ? [look(block), start(block), change(block), remove(block)] : [look(block)],
    setupPath: (block: BlockCard) => paths.setup(block.dataflow_trellis_code, block.task_block_trellis_code),
  }
}

export type BlockMenu = ReturnType<typeof useBlockMenu>
