export interface Positions {
  fromBytes(offset: number): number
  fromCodePoints(offset: number): number
}

export function createPositions(sql: string): Positions {
  // eslint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(sql)) return { fromBytes: clampTo(sql), fromCodePoints: clampTo(sql) }
  const byByte: number[] = []
  const byCodePoint: number[] = []
  let unit = 0
  for (const character of sql) {
    const code = character.codePointAt(0) as number
    const bytes = code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4
    for (let byte = 0; byte < bytes; byte += 1) byByte.push(unit)
    byCodePoint.push(unit)
    unit += character.length
  }
  return {
    fromBytes: (offset) => byByte[offset] ?? sql.length,
    fromCodePoints: (offset) => byCodePoint[offset] ?? sql.length,
  }
}

const clampTo =
  ({ length }: string) =>
  (offset: number): number =>
    Math.min(offset, length)
