import { useState } from 'react'

const KEY = 'trellis.sidebar'

export function useSidebar(): { isCollapsed: boolean; toggle: () => void } {
  const [isCollapsed, setCollapsed] = useState(() => localStorage.getItem(KEY) === 'collapsed')
  const toggle = () => {
    localStorage.setItem(KEY, isCollapsed ? 'open' : 'collapsed')
    setCollapsed(!isCollapsed)
  }
  return { isCollapsed, toggle }
}
