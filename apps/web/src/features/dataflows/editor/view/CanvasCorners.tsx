import type { FlowNode } from '../model/to-nodes.ts'
import { Minimap } from './Minimap.tsx'
import styles from './canvas.module.css'
import { ZoomButtons } from './ZoomButtons.tsx'

export default function CanvasCorners({ nodes, onFit }: { nodes: readonly FlowNode[]; onFit: () => void }) {
  return (
    <>
      <ZoomButtons onFit={onFit} />
      <p className={styles.hint}>Double-click a block to open it</p>
      <Minimap nodes={nodes} />
    </>
  )
}
