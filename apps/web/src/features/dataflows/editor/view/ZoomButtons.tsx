import { useReactFlow } from '@xyflow/react'
import { Maximize, Minus, Plus } from 'lucide-react'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import { Kbd } from '../../../../ui/data/Kbd.tsx'
import styles from './canvas.module.css'

export function ZoomButtons({ onFit }: { onFit: () => void }) {
  const { zoomIn, zoomOut } = useReactFlow()
  return (
    <div className={styles.zoom}>
      <IconButton size="sm" label="Zoom in" icon={<Plus aria-hidden />} onClick={() => void zoomIn()} />
      <IconButton size="sm" label="Zoom out" icon={<Minus aria-hidden />} onClick={() => void zoomOut()} />
      <IconButton
        size="sm"
        label="Show everything"
        hint={<Kbd keys="f" />}
        icon={<Maximize aria-hidden />}
        onClick={onFit}
      />
    </div>
  )
}
