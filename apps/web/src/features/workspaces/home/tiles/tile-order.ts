interface Tile {
  readonly code: string
  readonly isWide: boolean
}
export type TileOrder = readonly Tile[]

const toKey = (root: string) => `trellis.tiles${root}`

/** What is stored may be of another time: whatever is no tile is left. */
export function readTiles(root: string): TileOrder {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(toKey(root)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isTile) : []
  } catch {
    return []
  }
}

const isTile = (value: unknown): value is Tile =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string' && 'isWide' in value

export function writeTiles(root: string, order: TileOrder): void {
  try {
    localStorage.setItem(toKey(root), JSON.stringify(order))
  } catch {
    // Without storage the order lasts as long as the page.
  }
}

/** The tiles there are, those with a place first; new ones come last. */
export function arrangeTiles(codes: readonly string[], order: TileOrder): TileOrder {
  const placed = order.filter(({ code }) => codes.includes(code))
  const known = new Set(placed.map(({ code }) => code))
  return [...placed, ...codes.filter((code) => !known.has(code)).map((code) => ({ code, isWide: false }))]
}

export function moveTile(tiles: TileOrder, code: string, to: number): TileOrder {
  const moved = tiles.find((tile) => tile.code === code)
  if (!moved) return tiles
  const rest = tiles.filter((tile) => tile !== moved)
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, moved)
}
