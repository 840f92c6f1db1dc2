export function joinNames<Key extends string>(
  codes: readonly string[],
  things: readonly (Record<Key, string> & { name: string })[],
  key: Key,
): string {
  return codes.flatMap((code) => things.find((thing) => thing[key] === code)?.name ?? []).join(', ')
}
