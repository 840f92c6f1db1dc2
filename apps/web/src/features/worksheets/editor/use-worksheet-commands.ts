import { type PageAction, usePageActions } from '../../../app/palette/page-actions.ts'
import { useWorksheets } from '../use-worksheets.ts'
import type { Tabs } from './tabs/use-tabs.ts'
import type { OpenPart } from './WorksheetBar.tsx'

interface WorksheetCommands {
  run: (extent: 'statement' | 'all', explain?: 'none' | 'plan' | 'analyze') => void
  format: () => void
  open: (part: OpenPart) => void
  tabs: Tabs
}

const EDITOR_KEYS: readonly PageAction[] = [
  { id: 'switch-pane', title: 'From the editor to the results, and back', keys: 'f6' },
  { id: 'suggest', title: 'Show suggestions', keys: 'ctrl+space' },
  { id: 'quick-fix', title: 'Show quick fixes', keys: 'mod+.' },
  { id: 'next-problem', title: 'Next problem', keys: 'f8' },
  { id: 'comment', title: 'Comment or uncomment lines', keys: 'mod+/' },
  { id: 'find', title: 'Find and replace', keys: 'mod+f' },
  { id: 'next-tab', title: 'Next worksheet tab', keys: 'alt+pagedown' },
  { id: 'previous-tab', title: 'Previous worksheet tab', keys: 'alt+pageup' },
  { id: 'tab-number', title: 'Worksheet tab by its number', keys: 'alt+1' },
]

export function useWorksheetCommands({ run, format, open, tabs }: WorksheetCommands): void {
  const { can } = useWorksheets()
  const active = tabs.open.find(tabs.isActive)
  usePageActions([
    { id: 'run', title: 'Run statement or selection', keys: 'mod+enter', run: () => run('statement') },
    { id: 'run-all', title: 'Run all statements', keys: 'mod+shift+enter', run: () => run('all') },
    { id: 'explain', title: 'Explain and analyze', keys: 'mod+alt+enter', run: () => run('statement', 'analyze') },
    { id: 'format', title: 'Format SQL', keys: 'alt+shift+f', run: format },
    { id: 'save', title: 'Save draft', keys: 'mod+s' },
    ...(can('worksheets:publish') ? [{ id: 'push', title: 'Push to live', run: () => open('push') }] : []),
    { id: 'history', title: 'Version history', run: () => open('history') },
    { id: 'settings', title: 'Editor settings', run: () => open('settings') },
    ...(can('dataflows:write')
      ? [{ id: 'dataflow', title: 'Run this as a dataflow', run: () => open('dataflow') }]
      : []),
    { id: 'close-tab', title: 'Close worksheet tab', keys: 'alt+w', run: () => active && tabs.close(active) },
    { id: 'reopen-tab', title: 'Reopen closed worksheet tab', keys: 'alt+shift+w', run: tabs.reopen },
    { id: 'editor-help', title: 'Shortcuts from inside the editor', keys: 'f1' },
    ...EDITOR_KEYS,
  ])
}
