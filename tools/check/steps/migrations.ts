import { execFileSync } from 'node:child_process'

const FOLDER = 'packages/control-db/migrations'

export function findBadMigrations(files: readonly string[]): string[] {
  const names = files.filter((path) => path.startsWith(`${FOLDER}/`)).map((path) => path.slice(FOLDER.length + 1))
  const isNumbered = (name: string) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)
  const odd = names
    .filter((name) => !isNumbered(name))
    .map((name) => `${FOLDER}/${name}: must be named like 0008-add-things.sql.`)
  const numbers = names.filter((name) => isNumbered(name)).map((name) => Number(name.slice(0, 4)))
  const gaps = numbers.flatMap((number, at) => {
    if (number === at + 1) return []
    return [`${FOLDER}/${names.filter((name) => isNumbered(name))[at]}: number ${at + 1} was expected here.`]
  })
  return [...odd, ...gaps.slice(0, 1)]
}

/** Released migrations are applied on users' machines, where edited ones would be refused at the next start. */
export function findEditedMigrations(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [release] = git('tag', '--list', 'v*', '--sort=-v:refname').split('\n')
    if (!release) return []
    const edited = git('diff', '--name-only', '--diff-filter=MDR', release, '--', FOLDER).split('\n').filter(Boolean)
    return edited.map((path) => `${path}: was released in ${release}; write a new migration instead.`)
  } catch {
    return []
  }
}
