import { useEffect } from 'react'

/** What the page on screen can do: listed in the palette when it can be run, and with its keys among the shortcuts. */
export interface PageAction {
  id: string
  title: string
  keys?: string
  run?: () => void
}

let current: readonly PageAction[] = []

export const listPageActions = (): readonly PageAction[] => current

/** For as long as the page is shown. */
export function usePageActions(actions: readonly PageAction[]): void {
  useEffect(() => {
    current = actions
  })
  useEffect(
    () => () => {
      current = []
    },
    [],
  )
}
