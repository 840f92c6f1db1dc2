interface NamedRow {
  readonly name: string
  readonly file_key?: string | null
}

/** Stored keys first, then ones derived from names; unique and deterministic. */
export function assignKeys(rows: readonly NamedRow[]): string[] {
  const taken = new Set<string>()
  const keys: string[] = []
  const take = (at: number, base: string) => {
    let key = base
    for (let number = 2; taken.has(key); number += 1) key = `${base}-${number}`
    taken.add(key)
    keys[at] = key
  }
  for (const [at, { file_key }] of rows.entries()) if (file_key) take(at, file_key)
  const order = rows
    .map(({ name, file_key }, at) => ({ name, file_key, at }))
    .filter(({ file_key }) => !file_key)
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.at - b.at))
  for (const { name, at } of order) take(at, toSlug(name))
  return keys
}

function toSlug(name: string): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  return (
    plain
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60)
      .replace(/-$/, '') || 'block'
  )
}
