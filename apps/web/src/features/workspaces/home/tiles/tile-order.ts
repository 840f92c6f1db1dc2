import type { TilePlace } from '@trellis/contract/dashboard/dashboard.schemas'

type TileOrder = readonly TilePlace[]

/** Unplaced tiles come last. */
export function arrangeTiles(codes: readonly string[], order: TileOrder): TileOrder {
  const placed = order.filter(({ spark_trellis_code }) => codes.includes(spark_trellis_code))
  const placedCodes = new Set(placed.map(({ spark_trellis_code }) => spark_trellis_code))
  const added = codes.filter((code) => !placedCodes.has(code))
  return [...placed, ...added.map((spark_trellis_code) => ({ spark_trellis_code, is_wide: false }))]
}

export function moveTile(tiles: TileOrder, code: string, to: number): TileOrder {
  const moved = tiles.find((tile) => tile.spark_trellis_code === code)
  if (!moved) return tiles
  const rest = tiles.filter((tile) => tile !== moved)
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, moved)
}
