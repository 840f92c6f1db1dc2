interface Named {
  readonly kind: string
  readonly schema_name: string | null
  readonly name: string
}

const MASK = 0xffff_ffff_ffff_ffffn

/** Short words for a list of dependents, the same for the same list in any order (FNV-1a, 64 bits). */
export function tagOf(dependents: readonly Named[]): string {
  const lines = dependents.map(({ kind, schema_name, name }) => JSON.stringify([kind, schema_name, name]))
  let hash = 0xcbf2_9ce4_8422_2325n
  for (const code of new TextEncoder().encode(lines.toSorted().join('\n'))) {
    hash = ((hash ^ BigInt(code)) * 0x1_0000_01b3n) & MASK
  }
  return `${dependents.length}-${hash.toString(16).padStart(16, '0')}`
}
