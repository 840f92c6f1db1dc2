import { describe, expect, it } from 'vitest'
import { canMoveFolder, listDataflowsIn, folderAndBelow, folderRows, formatFolderPath } from './folder-tree.ts'

const folder = (trellis_code: string, parent_trellis_code: string | null, order = 0) => ({
  trellis_code,
  name: trellis_code.toUpperCase(),
  parent_trellis_code,
  order,
})
const folders = [folder('b', null, 1), folder('a', null, 2), folder('a1', 'a'), folder('a11', 'a1'), folder('b1', 'b')]
const names = (folded?: ReadonlySet<string>) => folderRows(folders, folded).map((row) => row.folder.trellis_code)

describe('folders', () => {
  it('stand in their order, each above what lies in it', () => {
    expect(names()).toEqual(['b', 'b1', 'a', 'a1', 'a11'])
    expect(folderRows(folders).map(({ level }) => level)).toEqual([1, 2, 1, 2, 3])
  })
  it('hide what lies in them when folded', () => {
    expect(names(new Set(['a', 'b']))).toEqual(['b', 'a'])
    expect(folderRows(folders, new Set(['a']))[2]?.hasChildren).toBe(true)
  })
  it('are told with the way to them', () => {
    expect(formatFolderPath(folders, 'a11')).toBe('A / A1 / A11')
    expect(formatFolderPath(folders, null)).toBe('')
    expect(formatFolderPath(folders, 'gone')).toBe('')
  })
  it('of a circle are not walked for ever', () => {
    expect(formatFolderPath([folder('x', 'y'), folder('y', 'x')], 'x')).toBe('Y / X')
  })
  it('cannot be put into themselves', () => {
    expect([...folderAndBelow(folders, 'a')].toSorted()).toEqual(['a', 'a1', 'a11'])
    expect(canMoveFolder(folders, 'a', 'a11')).toBe(false)
    expect(canMoveFolder(folders, 'a', 'a')).toBe(false)
    expect(canMoveFolder(folders, 'a', 'b1')).toBe(true)
    expect(canMoveFolder(folders, 'a', null)).toBe(true)
  })
})

describe('dataflows of a folder', () => {
  const flow = (name: string, folder_trellis_code: string | null) =>
    ({ name, trellis_code: name, folder_trellis_code }) as Parameters<typeof listDataflowsIn>[0]['dataflows'][number]
  const dataflows = [flow('three', 'a11'), flow('One', null), flow('two', 'b')]
  const found = (code: string | null) => listDataflowsIn({ folders, dataflows }, code).map(({ name }) => name)
  it('are those in it and below it', () => {
    expect(found('a')).toEqual(['three'])
    expect(found('b1')).toEqual([])
    expect(found(null)).toEqual(['One', 'three', 'two'])
  })
})
