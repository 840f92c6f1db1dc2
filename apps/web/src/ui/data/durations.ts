/** `850 ms`, `4.2 s`, `3 min 5 s`, `2 h 4 min`, `3 d 1 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const units = [
    { word: 'd', size: 86_400 },
    { word: 'h', size: 3600 },
    { word: 'min', size: 60 },
    { word: 's', size: 1 },
  ]
  const at = units.findIndex(({ size }) => seconds >= size)
  const big = units[at] ?? { word: 's', size: 1 }
  const small = units[at + 1]
  const rest = small ? Math.floor((seconds % big.size) / small.size) : 0
  const first = `${Math.floor(seconds / big.size)} ${big.word}`
  return small && rest > 0 ? `${first} ${rest} ${small.word}` : first
}
