import { useState } from 'react'

const KEY = 'trellis.sidebar'

/** Whether the sidebar is folded up, remembered in this browser. */
export function useSidebar(): { isCollapsed: boolean; toggle: () => void } {
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(KEY) === 'collapsed')
  const toggle = () => {
    localStorage.setItem(KEY, isCollapsed ? 'open' : 'collapsed')
    setCollapsed(!isCollapsed)
  }
  return { isCollapsed, toggle }
}
