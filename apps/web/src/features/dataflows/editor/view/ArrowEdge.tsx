import { BaseEdge, type EdgeProps, getBezierPath } from '@xyflow/react'
import { memo } from 'react'
import type { ArrowEdge as Drawn } from '../model/to-nodes.ts'

export const ArrowEdge = memo(function ArrowEdge(props: EdgeProps<Drawn>) {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, markerEnd } = props
  const [path] = getBezierPath({ sourceX, sourceY, targetX: targetX - 3, targetY, sourcePosition, targetPosition })
  return <BaseEdge path={path} interactionWidth={16} {...(markerEnd && { markerEnd })} />
})
