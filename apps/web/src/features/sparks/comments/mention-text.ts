export interface Mentionable {
  readonly code: string
  readonly name: string
  readonly email: string
}

const MENTION = /(?:^|[\s(])@([^@\n]{0,80})$/
const MAX_OFFERED = 8

/** Names contain spaces. `start` is the index of the `@`. */
export function findMention(text: string, caret: number): { inputText: string; start: number } | null {
  const inputText = MENTION.exec(text.slice(0, caret))?.[1]
  return inputText === undefined ? null : { inputText, start: caret - inputText.length - 1 }
}

/** Empty once a name is complete. */
export function filterPeople(people: readonly Mentionable[], inputText: string): Mentionable[] {
  const word = inputText.trim().toLowerCase()
  if (inputText.endsWith(' ') && people.some(({ name }) => name.toLowerCase() === word)) return []
  const begins = ({ name, email }: Mentionable) =>
    ` ${name.toLowerCase()}`.includes(` ${word}`) || email.toLowerCase().startsWith(word)
  return people.filter((person) => begins(person)).slice(0, MAX_OFFERED)
}

export interface TextPart {
  readonly text: string
  readonly name: string | null
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The longest name wins: `@Ada Lovelace` does not mention Ada. */
export function splitMentions(text: string, names: readonly string[]): TextPart[] {
  const knownNames = [...new Set(names)].filter((name) => name !== '').toSorted((a, b) => b.length - a.length)
  if (knownNames.length === 0) return [{ text, name: null }]
  const pattern = new RegExp(`@(${knownNames.map((name) => escape(name)).join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), name: null })
    parts.push({ text: match[0], name: match[1] ?? null })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end), name: null })
  return parts
}

/** Of people with the same name, those picked from the list, or else all. */
export function findMentioned(
  text: string,
  people: readonly Mentionable[],
  picked: ReadonlySet<string> = new Set(),
): string[] {
  const names = new Set(
    splitMentions(
      text,
      people.map(({ name }) => name),
    ).map(({ name }) => name),
  )
  const inText = Map.groupBy(
    people.filter(({ name }) => names.has(name)),
    ({ name }) => name,
  )
  return [...inText.values()].flatMap((same) => {
    const selected = same.filter(({ code }) => picked.has(code))
    return (selected.length > 0 ? selected : same).map(({ code }) => code)
  })
}
