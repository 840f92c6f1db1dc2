import { useCallback, useLayoutEffect, useMemo, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { readProfile } from '../../../../app/session/stored-data.ts'
import { useWorksheets } from '../../use-worksheets.ts'
import { closeTab, findNextTab, moveTab, openTab, parseTabs, type TabList, type WorksheetTab } from './tab-list.ts'

const CHANGED = 'trellis:worksheet-tabs'

function subscribe(onChange: () => void): () => void {
  globalThis.addEventListener('storage', onChange)
  globalThis.addEventListener(CHANGED, onChange)
  return () => {
    globalThis.removeEventListener('storage', onChange)
    globalThis.removeEventListener(CHANGED, onChange)
  }
}

/** Open tabs survive a reload and a sign-out; their texts are on the server. */
export function useTabs(active: WorksheetTab) {
  const { params, paths } = useWorksheets()
  const navigate = useNavigate()
  const profile = readProfile()
  const person = profile.ok ? profile.value.email : ''
  const key = `trellis.worksheet.tabs ${person} ${params.account_trellis_code}/${params.workspace_address}`
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key))
  const list = useMemo(() => parseTabs(text), [text])
  const change = useCallback(
    (how: (list: TabList) => TabList) => {
      localStorage.setItem(key, JSON.stringify(how(parseTabs(localStorage.getItem(key)))))
      globalThis.dispatchEvent(new Event(CHANGED))
    },
    [key],
  )
  const { projectId, fileId, name } = active
  // A layout effect: leaving at once would lose the tab.
  useLayoutEffect(
    () => change((oldTabList) => openTab(oldTabList, { projectId, fileId, name })),
    [change, projectId, fileId, name],
  )
  const go = (tab: WorksheetTab | undefined) => void navigate(tab ? paths.worksheet(tab) : paths.list)
  const isActive = (tab: WorksheetTab) => tab.fileId === fileId && tab.projectId === projectId
  return {
    open: list.open,
    closed: list.closed,
    isActive,
    toPath: (tab: WorksheetTab) => paths.worksheet(tab),
    close: (tab: WorksheetTab) => {
      const next = findNextTab(list, tab)
      change((oldTabList) => closeTab(oldTabList, tab))
      if (isActive(tab)) go(next)
    },
    reopen: () => {
      const [last] = list.closed
      if (last) go(last)
    },
    move: (tab: WorksheetTab, to: number) => change((oldTabList) => moveTab(oldTabList, tab, to)),
    /** Wraps around. */
    step: (by: number) => {
      const index = list.open.findIndex(isActive)
      const count = list.open.length
      if (count > 1) go(list.open[(index + by + count) % count])
    },
    goTo: (index: number) => {
      const tab = list.open[index]
      if (tab) go(tab)
    },
  }
}

export type Tabs = ReturnType<typeof useTabs>
