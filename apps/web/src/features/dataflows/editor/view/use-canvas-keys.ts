import { useReactFlow } from '@xyflow/react'
import { useRef, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { isTypingIn } from '../../../../app/shell/shortcuts.ts'
import type { EditorProps } from '../editor-props.ts'
import { GRID, NODE_HEIGHT, NODE_WIDTH, type Point } from '../model/geometry.ts'
import { findStepFrom } from '../model/order.ts'
import { listCodesIn, isGroupNode, tabOrder, type FlowNode } from '../model/to-nodes.ts'

const ARROWS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

const MARGIN = 48

function computeShiftIntoView(start: number, length: number, room: number): number {
  if (start < MARGIN) return MARGIN - start
  return Math.min(0, room - MARGIN - start - length)
}

interface KeyPorts extends EditorProps {
  nodes: readonly FlowNode[]
  tabStop: string | null
  setTabStop: (id: string) => void
  select: (isSelected: (node: FlowNode) => boolean) => void
  onFit: () => void
  onMenu: (node: FlowNode, point: { left: number; top: number }) => void
  removeArrows: () => boolean
}

/** Keys act on the selection when it has focus, otherwise on the focused block. */
export function useCanvasKeys(ports: KeyPorts) {
  const canvasRef = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const { setViewport, getViewport } = useReactFlow()
  const { nodes, actions, canWrite, menu, onRequest } = ports

  const findElement = (id: string) => canvasRef.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)

  /** Nodes outside the viewport are not rendered: pan first. */
  const focus = (id: string) => {
    const node = nodes.find((flowNode) => flowNode.id === id)
    const size = canvasRef.current?.getBoundingClientRect()
    if (!node || !size) return
    const { x, y, zoom } = getViewport()
    const shift = {
      x: computeShiftIntoView(node.position.x * zoom + x, NODE_WIDTH * zoom, size.width),
      y: computeShiftIntoView(node.position.y * zoom + y, NODE_HEIGHT * zoom, size.height),
    }
    if (shift.x !== 0 || shift.y !== 0) void setViewport({ x: x + shift.x, y: y + shift.y, zoom })
    ports.setTabStop(id)
    let tries = 0
    const attempt = () => {
      const element = findElement(id)
      if (element) element.focus({ preventScroll: true })
      else if (tries++ < 20) requestAnimationFrame(attempt)
    }
    attempt()
  }

  const focusedNode = (target: EventTarget): FlowNode | undefined => {
    const id = (target as HTMLElement).closest<HTMLElement>('[data-id]')?.dataset['id']
    return nodes.find((node) => node.id === id)
  }
  const listCodes = (node: FlowNode | undefined): string[] =>
    listCodesIn(node && !node.selected ? [node] : nodes.filter((flowNode) => flowNode.selected))
  const getBlock = (node: FlowNode | undefined) => (node && !isGroupNode(node) ? node.data.block : undefined)

  const withModifier = (key: string, node: FlowNode | undefined): boolean => {
    if (key === 'a') ports.select(() => true)
    else if (!canWrite) return false
    else if (key === 'd') void actions.duplicate(listCodes(node))
    else if (key === 'g') {
      const codes = listCodes(node)
      if (codes.length > 0) onRequest({ kind: 'group', codes, group: null })
    } else return false
    return true
  }

  const openNode = (node: FlowNode): void => {
    if (!isGroupNode(node)) void navigate(menu.setupPath(node.data.block))
    else if (canWrite) void actions.changeGroup(node.data.group.trellis_code, { is_folded: !node.data.group.is_folded })
  }
  const showMenu = (node: FlowNode) => {
    const rect = findElement(node.id)?.getBoundingClientRect()
    ports.onMenu(node, { left: (rect?.left ?? 0) + 24, top: (rect?.top ?? 0) + 40 })
  }

  const ofNode = (event: KeyboardEvent, node: FlowNode): boolean => {
    const { key } = event
    if (key === 'Enter') openNode(node)
    else if (key === ' ') ports.select((flowNode) => Boolean(flowNode.selected) !== (flowNode.id === node.id))
    else if (key === 'ContextMenu' || (key === 'F10' && event.shiftKey)) showMenu(node)
    else if (event.altKey && key in ARROWS) neighbour(node, key)
    else return false
    return true
  }
  const always = (event: KeyboardEvent, node: FlowNode | undefined): boolean => {
    const order = tabOrder(nodes)
    if (event.key === '?') onRequest({ kind: 'shortcuts' })
    else if (event.key === 'f') ports.onFit()
    else if (event.key === 'Escape') ports.select(() => false)
    else if (event.key === 'Home' && order[0]) focus(order[0])
    else if (event.key === 'End' && order.length > 0) focus(order.at(-1) ?? '')
    else return node !== undefined && ofNode(event, node)
    return true
  }
  /** Left: upstream; right: downstream. */
  const neighbour = (node: FlowNode, key: string) => {
    const block = getBlock(node)
    if (!block) return
    const next = nodes
      .flatMap((flowNode) => getBlock(flowNode) ?? [])
      .find((candidate) =>
        key === 'ArrowLeft'
          ? block.waits_for.includes(candidate.task_block_trellis_code)
          : key === 'ArrowRight' && candidate.waits_for.includes(block.task_block_trellis_code),
      )
    if (next) focus(next.task_block_trellis_code)
  }
  /** Focus moves to the next remaining block. */
  const remove = async (codes: readonly string[], node: FlowNode | undefined) => {
    const order = tabOrder(nodes)
    const index = node ? order.indexOf(node.id) : 0
    const next = [...order.slice(index), ...order.slice(0, index).toReversed()].find((id) => !codes.includes(id))
    if ((await actions.remove(codes)) && next !== undefined) focus(next)
  }
  const ask = (key: string, node: FlowNode): boolean => {
    const block = getBlock(node)
    if (key === 'F2' && isGroupNode(node))
      onRequest({ kind: 'group', codes: node.data.members, group: node.data.group })
    else if (!block) return false
    else if (key === 'c') onRequest({ kind: 'connect', block })
    else if (key === 'n') onRequest({ kind: 'note', block })
    else if (key === 'F2') onRequest({ kind: 'rename', block })
    else return false
    return true
  }
  const change = (event: KeyboardEvent, node: FlowNode | undefined): boolean => {
    const { key } = event
    const by = ARROWS[key]
    if (by) {
      const step = GRID * (event.shiftKey ? 4 : 1)
      actions.move(listCodes(node), { x: by.x * step, y: by.y * step })
    } else if (key === 'Delete' || key === 'Backspace') {
      const codes = listCodes(node)
      if (!ports.removeArrows() && codes.length > 0) void remove(codes, node)
    } else if (key === '+') onRequest({ kind: 'add', after: getBlock(node) ?? null, point: null })
    else if (key === 'l') void actions.arrange()
    else return node !== undefined && ask(key, node)
    return true
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (isTypingIn(event.target) || event.defaultPrevented) return
    const node = focusedNode(event.target)
    if (event.key === 'Tab') {
      const next = node && findStepFrom(tabOrder(nodes), node.id, event.shiftKey ? -1 : 1)
      if (next === undefined) return
      event.preventDefault()
      focus(next)
      return
    }
    const isHandled =
      event.ctrlKey || event.metaKey
        ? withModifier(event.key.toLowerCase(), node)
        : always(event, node) || (canWrite && change(event, node))
    if (!isHandled) return
    event.preventDefault()
    event.stopPropagation()
  }
  return { box: canvasRef, onKeyDown, focus, listCodes, openNode }
}
