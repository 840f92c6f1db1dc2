const MEASURED = /\.(ts|tsx|mjs|css|sql|md)$/
const TEST = /\.test\.tsx?$/
const MAX_LINES = 400
const MAX_TEST_LINES = 800
const MAX_FILES = 25
/** Folders of numbered files, which nobody reads as a whole. */
const LONG_FOLDERS = /\/migrations$|^docs\/(adr|pictures)$/
const VAGUE = /(^|\/)(utils?|helpers?|common|misc|v\d+)(\.[a-z.]+)?(\/|$)/
const BARREL = /(^|\/)index\.(ts|tsx)$/

export function findLongFiles(files: readonly string[], read: (path: string) => string): string[] {
  return files
    .filter((path) => MEASURED.test(path))
    .flatMap((path) => {
      const lines = read(path).split('\n').length - 1
      const most = TEST.test(path) ? MAX_TEST_LINES : MAX_LINES
      return lines > most ? [`${path}: ${lines} lines, at most ${most} are allowed. Split it by what it does.`] : []
    })
}

/** Tests do not count: that would punish a well-tested folder. */
export function findCrowdedFolders(files: readonly string[]): string[] {
  const folders = Map.groupBy(
    files.filter((path) => !TEST.test(path)),
    (path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  )
  return [...folders]
    .filter(([folder, inside]) => inside.length > MAX_FILES && !LONG_FOLDERS.test(folder))
    .map(
      ([folder, inside]) =>
        `${folder}: ${inside.length} files, at most ${MAX_FILES} are allowed. Make a folder inside it.`,
    )
}

export function findBadNames(files: readonly string[]): string[] {
  return files.flatMap((path) => {
    if (BARREL.test(path)) return [`${path}: no barrels; import the file you mean.`]
    if (VAGUE.test(path)) return [`${path}: the name says nothing about what is inside.`]
    return []
  })
}

export function findMissingReadmes(files: readonly string[]): string[] {
  const presentFiles = new Set(files)
  return files
    .flatMap((path) => /^((?:packages|connectors)\/[^/]+)\/package\.json$/.exec(path)?.[1] ?? [])
    .filter((folder) => !presentFiles.has(`${folder}/README.md`))
    .map((folder) => `${folder}/README.md is missing: a package says in one sentence why it exists.`)
}
