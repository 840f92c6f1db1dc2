import { RotateCcw, X } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import type { WorksheetTab } from './tab-list.ts'
import styles from './tabs.module.css'
import type { Tabs } from './use-tabs.ts'

const DRAGGED = 'application/x-trellis-tab'

export function WorksheetTabs({ tabs }: { tabs: Tabs }) {
  useTabKeys(tabs)
  const { open, closed } = tabs
  return (
    <nav aria-label="Open worksheets" className={styles.tabs}>
      <ol>
        {open.map((tab, index) => (
          <li key={`${tab.projectId} ${tab.fileId}`} data-active={tabs.isActive(tab)}>
            <Tab tab={tab} index={index} tabs={tabs} />
          </li>
        ))}
      </ol>
      {closed[0] && (
        <IconButton label={`Reopen ${closed[0].name}`} icon={<RotateCcw aria-hidden />} onClick={tabs.reopen} />
      )}
    </nav>
  )
}

function Tab({ tab, index, tabs }: { tab: WorksheetTab; index: number; tabs: Tabs }) {
  const isActive = tabs.isActive(tab)
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isActive) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isActive])
  const onDrop = (event: DragEvent) => {
    const dragged = tabs.open[Number(event.dataTransfer.getData(DRAGGED))]
    event.preventDefault()
    if (dragged && event.dataTransfer.types.includes(DRAGGED)) tabs.move(dragged, index)
  }
  const onAuxClick = (event: MouseEvent) => {
    if (event.button !== 1) return
    event.preventDefault()
    tabs.close(tab)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (step !== 0 && event.ctrlKey) {
      event.preventDefault()
      tabs.move(tab, index + step)
    } else if (event.key === 'Delete') {
      event.preventDefault()
      tabs.close(tab)
    }
  }
  return (
    <>
      <Link
        ref={link}
        to={tabs.toPath(tab)}
        draggable
        onDragStart={(event) => event.dataTransfer.setData(DRAGGED, String(index))}
        onDragOver={(event) => event.dataTransfer.types.includes(DRAGGED) && event.preventDefault()}
        onDrop={onDrop}
        aria-current={isActive ? 'page' : undefined}
        onAuxClick={onAuxClick}
        onKeyDown={onKeyDown}
      >
        {tab.name}
      </Link>
      <button type="button" aria-label={`Close ${tab.name}`} onClick={() => tabs.close(tab)}>
        <X aria-hidden />
      </button>
    </>
  )
}

/** Alt shortcuts: browsers reserve the Ctrl ones. */
function useTabKeys(tabs: Tabs): void {
  const latest = useRef(tabs)
  useEffect(() => {
    latest.current = tabs
  })
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey) return
      const { current } = latest
      const active = current.open.find(current.isActive)
      const digit = /^Digit([1-9])$/.exec(event.code)?.[1]
      if (event.code === 'KeyW' && event.shiftKey) current.reopen()
      else if (event.code === 'KeyW' && active) current.close(active)
      else if (event.code === 'PageDown') current.step(1)
      else if (event.code === 'PageUp') current.step(-1)
      else if (digit !== undefined && !event.shiftKey) current.goTo(Number(digit) - 1)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    // Capture, to be before the editor.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
}
