export interface WorksheetTab {
  readonly projectId: string
  readonly fileId: string
  readonly name: string
}

export interface TabList {
  readonly open: readonly WorksheetTab[]
  readonly closed: readonly WorksheetTab[]
}

const NO_TABS: TabList = { open: [], closed: [] }
const MAX_OPEN = 30
const MAX_CLOSED = 20

const isSame = (
  a: Pick<WorksheetTab, 'fileId' | 'projectId'>,
  b: Pick<WorksheetTab, 'fileId' | 'projectId'>,
): boolean => a.fileId === b.fileId && a.projectId === b.projectId

/** An open tab keeps its position, but takes the new name. */
export function openTab({ open, closed }: TabList, tab: WorksheetTab): TabList {
  const isOpen = open.some((worksheetTab) => isSame(worksheetTab, tab))
  const next = isOpen ? open.map((worksheetTab) => (isSame(worksheetTab, tab) ? tab : worksheetTab)) : [...open, tab]
  const tooMany = next.slice(0, Math.max(0, next.length - MAX_OPEN))
  return {
    open: next.slice(tooMany.length),
    closed: [...tooMany, ...closed.filter((worksheetTab) => !isSame(worksheetTab, tab))].slice(0, MAX_CLOSED),
  }
}

export function closeTab({ open, closed }: TabList, tab: WorksheetTab): TabList {
  return {
    open: open.filter((worksheetTab) => !isSame(worksheetTab, tab)),
    closed: [tab, ...closed.filter((worksheetTab) => !isSame(worksheetTab, tab))].slice(0, MAX_CLOSED),
  }
}

export function findNextTab({ open }: TabList, tab: WorksheetTab): WorksheetTab | undefined {
  const index = open.findIndex((worksheetTab) => isSame(worksheetTab, tab))
  return open[index + 1] ?? open[index - 1]
}

export function moveTab({ open, closed }: TabList, tab: WorksheetTab, to: number): TabList {
  const rest = open.filter((worksheetTab) => !isSame(worksheetTab, tab))
  const index = Math.max(0, Math.min(to, rest.length))
  return { open: [...rest.slice(0, index), tab, ...rest.slice(index)], closed }
}

export function parseTabs(text: string | null): TabList {
  try {
    const { open, closed } = JSON.parse(text ?? '') as Partial<Record<keyof TabList, unknown>>
    return { open: toTabs(open), closed: toTabs(closed) }
  } catch {
    return NO_TABS
  }
}

function toTabs(value: unknown): WorksheetTab[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item: Partial<Record<keyof WorksheetTab, unknown>> | null) =>
    typeof item?.projectId === 'string' && typeof item.fileId === 'string' && typeof item.name === 'string'
      ? [{ projectId: item.projectId, fileId: item.fileId, name: item.name }]
      : [],
  )
}
