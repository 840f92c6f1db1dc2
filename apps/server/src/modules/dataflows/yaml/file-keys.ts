interface NamedRow {
  readonly name: string
  readonly file_key?: string | null
}

/** Stored keys first, then ones derived from names; unique and deterministic. */
export function assignKeys(rows: readonly NamedRow[]): string[] {
  const takenKeys = new Set<string>()
  const keys: string[] = []
  const assignKey = (index: number, baseKey: string) => {
    let key = baseKey
    for (let number = 2; takenKeys.has(key); number += 1) key = `${baseKey}-${number}`
    takenKeys.add(key)
    keys[index] = key
  }
  for (const [index, { file_key }] of rows.entries()) if (file_key) assignKey(index, file_key)
  const unkeyedRows = rows
    .map(({ name, file_key }, index) => ({ name, file_key, at: index }))
    .filter(({ file_key }) => !file_key)
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.at - b.at))
  for (const { name, at: index } of unkeyedRows) assignKey(index, toSlug(name))
  return keys
}

function toSlug(name: string): string {
  const plainName = name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return (
    plainName
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60)
      .replace(/-$/, '') || 'block'
  )
}
