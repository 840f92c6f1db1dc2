const OPPOSITES: Readonly<Record<string, readonly string[]>> = {
  open: ['closed'],
  outstanding: ['paid'],
  unfinished: ['finished', 'completed'],
}

export const listOpposites = (word: string): readonly string[] => OPPOSITES[word.toLowerCase()] ?? []
