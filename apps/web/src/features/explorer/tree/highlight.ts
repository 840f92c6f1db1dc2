/** Case-insensitive, like the server. */
export function highlight(text: string, words: string): { text: string; isHit: boolean }[] {
  const wanted = words.trim().toLowerCase()
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted)
  if (at < 0) return [{ text, isHit: false }]
  const end = at + wanted.length
  return [
    { text: text.slice(0, at), isHit: false },
    { text: text.slice(at, end), isHit: true },
    { text: text.slice(end), isHit: false },
  ].filter((part) => part.text !== '')
}
