import { readFileSync } from 'node:fs'

export interface SandboxPackage {
  readonly name: string
  readonly version: string
  readonly summary: string
}

interface PackageEntry extends SandboxPackage {
  readonly file: string
}

/** Written here and pure, so that importing them is safe. */
const PACKAGES: readonly PackageEntry[] = [
  {
    name: 'trellis/columns',
    version: '1.0.0',
    summary: 'Rows of columns and back, filtering, grouping with sums, counts, smallest and largest',
    file: 'columns.js',
  },
  {
    name: 'trellis/dates',
    version: '1.0.0',
    summary: 'Days and times as ISO texts: adding, differences, beginnings of weeks, months, quarters and years',
    file: 'dates.js',
  },
  {
    name: 'trellis/hash',
    version: '1.0.0',
    summary: 'SHA-256 and a short hash, for keys and for values nobody should read',
    file: 'hash.js',
  },
  {
    name: 'trellis/text',
    version: '1.0.0',
    summary:
      'Clean spaces, accents and case, read numbers as people write them, compare texts that are nearly the same',
    file: 'text.js',
  },
]

export const listPackages = (): SandboxPackage[] =>
  PACKAGES.map(({ name, version, summary }) => ({ name, version, summary }))

export function readPackageSource(name: string, chosen: readonly string[]): string | { error: Error } {
  const knownPackageEntry = PACKAGES.find((packageEntry) => packageEntry.name === name)
  if (!knownPackageEntry) {
    return {
      error: new Error(
        `There is no package "${name}". There are: ${PACKAGES.map((packageEntry) => packageEntry.name).join(', ')}.`,
      ),
    }
  }
  if (!chosen.includes(name)) {
    return { error: new Error(`The package "${name}" is not chosen for this transformation. Add it to its packages.`) }
  }
  return readFileSync(new URL(`./packages/${knownPackageEntry.file}`, import.meta.url), 'utf8')
}
