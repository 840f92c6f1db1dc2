interface Texts {
  description: string
  columns: readonly { name: string; description: string }[]
}

/** Sends changes only, so that two people describing different columns don't overwrite each other. */
export function changedTexts(saved: Texts, typed: Texts) {
  const before = new Map(saved.columns.map((one) => [one.name, one.description]))
  const columns = typed.columns.filter((one) => before.get(one.name) !== one.description)
  return {
    ...(typed.description !== saved.description && { description: typed.description }),
    ...(columns.length > 0 && { columns }),
  }
}

export function isChanged(saved: Texts, typed: Texts): boolean {
  return Object.keys(changedTexts(saved, typed)).length > 0
}
