import {
  ChevronsDownUp,
  ChevronsUpDown,
  Maximize,
  Network,
  Pencil,
  Plus,
  SquareDashed,
  Trash2,
  Ungroup,
} from 'lucide-react'
import { useState } from 'react'
import type { MenuPoint } from '../../../../ui/overlays/ContextMenu.tsx'
import type { MenuItem } from '../../../../ui/overlays/MenuPanel.tsx'
import type { EditorProps } from '../editor-props.ts'
import type { Point } from '../model/geometry.ts'
import { isGroupNode, type ArrowEdge, type FlowNode, type GroupNode } from '../model/to-nodes.ts'

interface CanvasMenuOptions extends EditorProps {
  onFit: () => void
  select: (isSelected: (node: FlowNode) => boolean) => void
}

export function useCanvasMenu({ actions, canWrite, menu: blocks, onRequest, onFit, select }: CanvasMenuOptions) {
  const [menu, setMenu] = useState<{ point: MenuPoint; label: string; groups: MenuItem[][] } | null>(null)

  const ofGroup = ({ data: { group, members } }: GroupNode): MenuItem[][] => [
    [
      {
        label: group.is_folded ? 'Unfold' : 'Fold',
        icon: group.is_folded ? <ChevronsUpDown aria-hidden /> : <ChevronsDownUp aria-hidden />,
        onSelect: () => void actions.changeGroup(group.trellis_code, { is_folded: !group.is_folded }),
      },
      {
        label: 'Name, colour and note…',
        icon: <Pencil aria-hidden />,
        onSelect: () => onRequest({ kind: 'group', codes: members, group }),
      },
    ],
    [
      {
        label: 'Ungroup',
        note: 'The blocks stay',
        icon: <Ungroup aria-hidden />,
        onSelect: () => void actions.ungroup(group.trellis_code),
      },
      {
        label: 'Delete its blocks',
        icon: <Trash2 aria-hidden />,
        isDanger: true,
        onSelect: () => void actions.remove(members),
      },
    ],
  ]
  const openNode = (node: FlowNode, point: MenuPoint) => {
    if (!isGroupNode(node))
      setMenu({ point, label: `Actions for ${node.data.block.name}`, groups: blocks.getMenuGroups(node.data.block) })
    else if (canWrite) setMenu({ point, label: `Actions for the group ${node.data.group.name}`, groups: ofGroup(node) })
  }
  const openArrow = ({ data, deletable }: ArrowEdge, point: MenuPoint) => {
    if (!canWrite || !data || !deletable) return
    setMenu({
      point,
      label: 'Actions for the arrow',
      groups: [
        [
          {
            label: 'Take the arrow away',
            icon: <Trash2 aria-hidden />,
            isDanger: true,
            onSelect: () => void actions.disconnect(data.source, data.target),
          },
        ],
      ],
    })
  }
  const openPane = (menuPoint: MenuPoint, flowPoint: Point) => {
    const add: MenuItem[] = [
      {
        label: 'Add a block here…',
        icon: <Plus aria-hidden />,
        onSelect: () => onRequest({ kind: 'add', after: null, point: flowPoint }),
      },
      { label: 'Arrange the blocks', icon: <Network aria-hidden />, onSelect: () => void actions.arrange() },
    ]
    const viewItems: MenuItem[] = [
      { label: 'Select all', icon: <SquareDashed aria-hidden />, onSelect: () => select(() => true) },
      { label: 'Show everything', icon: <Maximize aria-hidden />, onSelect: onFit },
    ]
    setMenu({ point: menuPoint, label: 'Actions for the canvas', groups: canWrite ? [add, viewItems] : [viewItems] })
  }
  return { menu, openNode, openArrow, openPane, closeMenu: () => setMenu(null) }
}
