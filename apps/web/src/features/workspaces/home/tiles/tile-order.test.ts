import { beforeEach, expect, test } from 'vitest'
import { arrangeTiles, moveTile, readTiles, writeTiles } from './tile-order.ts'

beforeEach(() => localStorage.clear())

test('tiles keep their place; those that are gone leave theirs, new ones come last', () => {
  writeTiles('/acme/shop', [
    { code: 'b', isWide: true },
    { code: 'gone', isWide: false },
    { code: 'a', isWide: false },
  ])
  const tiles = arrangeTiles(['a', 'b', 'c'], readTiles('/acme/shop'))
  expect(tiles.map(({ code }) => code)).toEqual(['b', 'a', 'c'])
  expect(tiles[0]?.isWide).toBe(true)
  expect(moveTile(tiles, 'c', 0).map(({ code }) => code)).toEqual(['c', 'b', 'a'])
  expect(readTiles('/acme/other')).toEqual([])
})

test('what is stored and is no list of tiles is passed over', () => {
  for (const text of ['{', '7', '[1, null, {"code": 3}]']) {
    localStorage.setItem('trellis.tiles/acme/shop', text)
    expect(readTiles('/acme/shop')).toEqual([])
  }
})
