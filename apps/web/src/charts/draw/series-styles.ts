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

const stripes = (rotation: number, gap: number): Decal => ({
  symbol: 'rect',
  dashArrayX: [1, 0],
  dashArrayY: [1.5, gap],
  rotation,
})
const dots = (symbol: string, gap: number): Decal => ({
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
  stripes(Math.PI / 4, 5),
  dots('circle', 6),
  stripes(-Math.PI / 4, 5),
  stripes(0, 5),
  stripes(Math.PI / 2, 5),
  dots('triangle', 7),
  stripes(Math.PI / 4, 2.5),
]

export const pickStyle = <T>(styles: readonly T[], at: number): T => styles[at % styles.length] as T
