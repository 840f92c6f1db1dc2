import { useEffect } from 'react'

/** Listed in the command palette when enabled, and with its keys in the shortcuts dialog. */
export interface PageAction {
  id: string
  title: string
  keys?: string
  run?: () => void
}

let current: readonly PageAction[] = []

export const listPageActions = (): readonly PageAction[] => current

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
