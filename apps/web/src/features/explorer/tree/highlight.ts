/** Case-insensitive, like the server. */
export function highlight(text: string, words: string): { text: string; isHit: boolean }[] {
  const searchTerm = words.trim().toLowerCase()
  const index = searchTerm === '' ? -1 : text.toLowerCase().indexOf(searchTerm)
  if (index < 0) return [{ text, isHit: false }]
  const end = index + searchTerm.length
  return [
    { text: text.slice(0, index), isHit: false },
    { text: text.slice(index, end), isHit: true },
    { text: text.slice(end), isHit: false },
  ].filter((part) => part.text !== '')
}
