const [BACKSLASH, FEED, RETURN] = [92, 10, 13]
const SIGNS = new Set(Buffer.from('tnr\\'))
const MAX_SHOWN = 60

export function findEscape(chunk: Buffer, delimiter: number): string | undefined {
  for (let at = chunk.indexOf(BACKSLASH); at >= 0; at = chunk.indexOf(BACKSLASH, at + 1)) {
    if (!SIGNS.has(chunk[at + 1] ?? 0)) continue
    const isEnd = (byte: number | undefined) =>
      byte === undefined || byte === delimiter || byte === FEED || byte === RETURN
    let [from, to] = [at, at + 2]
    while (from > 0 && at - from < MAX_SHOWN / 2 && !isEnd(chunk[from - 1])) from -= 1
    while (to - from < MAX_SHOWN && !isEnd(chunk[to])) to += 1
    return chunk.toString('utf8', from, to)
  }
  return undefined
}
