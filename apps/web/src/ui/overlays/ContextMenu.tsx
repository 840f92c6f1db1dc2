import { useId } from 'react'
import { MenuPanel, type MenuContent } from './MenuPanel.tsx'

export interface MenuPoint {
  left: number
  top: number
}

/** A menu at a point of the window, for the right mouse button and the menu key. Render it while it is open. */
export function ContextMenu({
  point,
  ...content
}: MenuContent & { point: MenuPoint; onClose: (isFocusBack: boolean) => void }) {
  const id = useId()
  return (
    <MenuPanel
      {...content}
      id={id}
      anchor={() => ({ getBoundingClientRect: () => ({ ...point, width: 0, height: 0 }) })}
      isInside={() => false}
    />
  )
}
