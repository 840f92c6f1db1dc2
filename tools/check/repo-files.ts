import { type Dirent, existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const NEVER = ['.git', 'node_modules', '.runtime']

/** Relative to the root. Works without git, e.g. in an unpacked archive. */
export function repoFiles(root: string): string[] {
  const isIgnored = ignoreRules(root)
  const found: string[] = []
  const walk = (folder: string) => {
    const entries: Dirent[] = readdirSync(join(root, folder), { withFileTypes: true })
    for (const entry of entries) {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (NEVER.includes(entry.name) || isIgnored(path, entry.isDirectory())) continue
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  walk('')
  return found.toSorted()
}

/** Supports `name`, `name/`, `path/name/` and `*` within a name. */
function ignoreRules(root: string): (path: string, isFolder: boolean) => boolean {
  const file = join(root, '.gitignore')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const rules = lines
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isFolderOnly = line.endsWith('/')
      const pattern = line.replace(/^\/|\/$/g, '')
      const source = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
      const isRooted = pattern.includes('/')
      return { isFolderOnly, regex: new RegExp(isRooted ? `^${source}$` : `(^|/)${source}$`) }
    })
  return (path, isFolder) => rules.some((rule) => (isFolder || !rule.isFolderOnly) && rule.regex.test(path))
}
