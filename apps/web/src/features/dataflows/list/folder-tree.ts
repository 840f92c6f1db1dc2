import type { DataflowSummary, Folder } from '@trellis/contract/dataflows/dataflows.schemas'

export interface FolderRow {
  folder: Folder
  level: number
  hasChildren: boolean
}

const listChildFolders = (folders: readonly Folder[], parent: string | null) =>
  folders
    .filter((folder) => folder.parent_trellis_code === parent)
    .toSorted((a, b) => a.order - b.order || a.name.localeCompare(b.name, 'en', { numeric: true }))

export function folderRows(folders: readonly Folder[], folded: ReadonlySet<string> = new Set()): FolderRow[] {
  const below = (parent: string | null, level: number): FolderRow[] =>
    listChildFolders(folders, parent).flatMap((folder) => {
      const hasChildren = folders.some((candidate) => candidate.parent_trellis_code === folder.trellis_code)
      const children = folded.has(folder.trellis_code) ? [] : below(folder.trellis_code, level + 1)
      return [{ folder, level, hasChildren }, ...children]
    })
  return below(null, 1)
}

export function folderTrail(folders: readonly Folder[], code: string | null): Folder[] {
  const trail: Folder[] = []
  let at = folders.find((folder) => folder.trellis_code === code)
  while (at && !trail.includes(at)) {
    trail.unshift(at)
    const parent = at.parent_trellis_code
    at = folders.find((folder) => folder.trellis_code === parent)
  }
  return trail
}

export const formatFolderPath = (folders: readonly Folder[], code: string | null): string =>
  folderTrail(folders, code)
    .map(({ name }) => name)
    .join(' / ')

export function folderAndBelow(folders: readonly Folder[], code: string): Set<string> {
  return new Set(
    folders
      .filter((folder) => folderTrail(folders, folder.trellis_code).some(({ trellis_code }) => trellis_code === code))
      .map(({ trellis_code }) => trellis_code),
  )
}

export function canMoveFolder(folders: readonly Folder[], code: string, into: string | null): boolean {
  return into === null || !folderAndBelow(folders, code).has(into)
}

export function listDataflowsIn(
  { folders, dataflows }: { folders: readonly Folder[]; dataflows: readonly DataflowSummary[] },
  code: string | null,
): DataflowSummary[] {
  const inside = code === null ? null : folderAndBelow(folders, code)
  return dataflows
    .filter((dataflow) => inside === null || inside.has(dataflow.folder_trellis_code ?? ''))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'base' }))
}
