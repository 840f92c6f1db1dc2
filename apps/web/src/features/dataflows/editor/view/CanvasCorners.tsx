import type { FlowNode } from '../model/to-nodes.ts'
import { MapPanel } from './MapPanel.tsx'
import { ZoomButtons } from './ZoomButtons.tsx'

/** What lies over the canvas and is not needed for its first sight. */
export default function CanvasCorners({ nodes, onFit }: { nodes: readonly FlowNode[]; onFit: () => void }) {
  return (
    <>
      <ZoomButtons onFit={onFit} />
      <MapPanel nodes={nodes} />
    </>
  )
}
