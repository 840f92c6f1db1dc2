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
  const isOpen = open.some((one) => isSame(one, tab))
  const next = isOpen ? open.map((one) => (isSame(one, tab) ? tab : one)) : [...open, tab]
  const tooMany = next.slice(0, Math.max(0, next.length - MAX_OPEN))
  return {
    open: next.slice(tooMany.length),
    closed: [...tooMany, ...closed.filter((one) => !isSame(one, tab))].slice(0, MAX_CLOSED),
  }
}

export function closeTab({ open, closed }: TabList, tab: WorksheetTab): TabList {
  return {
    open: open.filter((one) => !isSame(one, tab)),
    closed: [tab, ...closed.filter((one) => !isSame(one, tab))].slice(0, MAX_CLOSED),
  }
}

export function findNextTab({ open }: TabList, tab: WorksheetTab): WorksheetTab | undefined {
  const at = open.findIndex((one) => isSame(one, tab))
  return open[at + 1] ?? open[at - 1]
}

export function moveTab({ open, closed }: TabList, tab: WorksheetTab, to: number): TabList {
  const rest = open.filter((one) => !isSame(one, tab))
  const at = Math.max(0, Math.min(to, rest.length))
  return { open: [...rest.slice(0, at), tab, ...rest.slice(at)], closed }
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
  return value.flatMap((one: Partial<Record<keyof WorksheetTab, unknown>> | null) =>
    typeof one?.projectId === 'string' && typeof one.fileId === 'string' && typeof one.name === 'string'
      ? [{ projectId: one.projectId, fileId: one.fileId, name: one.name }]
      : [],
  )
}
