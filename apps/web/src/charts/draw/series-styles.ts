/** Tells series apart without colour. */
export const DASHES: readonly (readonly number[] | 'solid')[] = [
  'solid',
  [7, 4],
  [2, 3],
  [9, 3, 2, 3],
  [12, 4],
  [4, 2],
  [2, 6],
  [9, 3, 2, 3, 2, 3],
]
export const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'pin']

interface Decal {
  readonly symbol: string
  readonly dashArrayX?: readonly number[] | readonly (readonly number[])[]
  readonly dashArrayY?: readonly number[]
  readonly rotation?: number
  readonly symbolSize?: number
}

const createStripes = (rotation: number, gap: number): Decal => ({
  symbol: 'rect',
  dashArrayX: [1, 0],
  dashArrayY: [1.5, gap],
  rotation,
})
const createDots = (symbol: string, gap: number): Decal => ({
  symbol,
  dashArrayX: [
    [gap, gap],
    [0, gap, gap, 0],
  ],
  dashArrayY: [gap, 0],
  symbolSize: 0.5,
})

export const DECALS: readonly Decal[] = [
  { symbol: 'none' },
  createStripes(Math.PI / 4, 5),
  createDots('circle', 6),
  createStripes(-Math.PI / 4, 5),
  createStripes(0, 5),
  createStripes(Math.PI / 2, 5),
  createDots('triangle', 7),
  createStripes(Math.PI / 4, 2.5),
]

export const pickStyle = <T>(styles: readonly T[], at: number): T => styles[at % styles.length] as T
