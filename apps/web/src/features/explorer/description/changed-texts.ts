interface Texts {
  description: string
  columns: readonly { name: string; description: string }[]
}

/** Sends changes only, so that two people describing different columns don't overwrite each other. */
export function changedTexts(savedTexts: Texts, typedTexts: Texts) {
  const before = new Map(savedTexts.columns.map((column) => [column.name, column.description]))
  const columns = typedTexts.columns.filter((column) => before.get(column.name) !== column.description)
  return {
    ...(typedTexts.description !== savedTexts.description && { description: typedTexts.description }),
    ...(columns.length > 0 && { columns }),
  }
}

export function isChanged(savedTexts: Texts, typedTexts: Texts): boolean {
  return Object.keys(changedTexts(savedTexts, typedTexts)).length > 0
}
