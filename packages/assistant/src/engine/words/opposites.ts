const OPPOSITES: Readonly<Record<string, readonly string[]>> = {
  open: ['closed'],
  outstanding: ['paid'],
  unfinished: ['finished', 'completed'],
}

/** Words whose negation means the same: "open" is "not closed". */
export const listOpposites = (word: string): readonly string[] => OPPOSITES[word.toLowerCase()] ?? []
