const MODULE_FILE = /^apps\/server\/src\/modules\/.*\.ts$/
const EXEMPT = /\.(repository|test)\.ts$|\/testing\//
const SQL = /\b(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|^import (?!type\b).*\bfrom '(kysely)'/gm
const SCOPED =
  /^import (?!type\b).*\b(scoped|insertScoped|updateScoped|deleteScoped)\b.* from '@trellis\/control-db\/scoped'/gm

/** Statements on control tables outside repositories escape whoever reviews a migration. */
export function findSqlOutsideRepositories(files: readonly string[], read: (path: string) => string): string[] {
  return files
    .filter((path) => MODULE_FILE.test(path) && !EXEMPT.test(path))
    .flatMap((path) => {
      const text = read(path)
      return [...text.matchAll(SQL), ...text.matchAll(SCOPED)].map(({ index, 1: first, 2: second }) => {
        const line = text.slice(0, index).split('\n').length
        return `${path}:${line}: ${first ?? second}: SQL belongs into a *.repository.ts of the module.`
      })
    })
}
