import { expect, test } from 'vitest'
import { arrangeTiles, moveTile } from './tile-order.ts'

test('tiles keep their place; those that are gone leave theirs, new ones come last', () => {
  const tiles = arrangeTiles(
    ['a', 'b', 'c'],
    [
      { spark_trellis_code: 'b', is_wide: true },
      { spark_trellis_code: 'gone', is_wide: false },
      { spark_trellis_code: 'a', is_wide: false },
    ],
  )
  const codes = (order: typeof tiles) => order.map(({ spark_trellis_code }) => spark_trellis_code)
  expect(codes(tiles)).toEqual(['b', 'a', 'c'])
  expect(tiles[0]?.is_wide).toBe(true)
  expect(codes(moveTile(tiles, 'c', 0))).toEqual(['c', 'b', 'a'])
  expect(codes(moveTile(tiles, 'b', 9))).toEqual(['a', 'c', 'b'])
})
