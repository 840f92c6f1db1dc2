import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeFingerprint } from './fingerprint.mjs'
import { runQuietly } from './run-quietly.mjs'
import { asProblem, findFileSentence, problem } from './say.mjs'

export async function ensureWebBuild({ root, node, lock }) {
  if (isBuilt(root)) return
  await lock(async () => {
    if (isBuilt(root)) return
    const before = fingerprint(root)
    await build(root, node)
    try {
      writeFileSync(toStampPath(root), before)
    } catch (error) {
      throw asProblem(error, toStampPath(root))
    }
  })
}

function isBuilt(root) {
  const stamp = toStampPath(root)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root)
}

function toStampPath(root) {
  return join(root, 'apps', 'web', 'dist', '.built')
}

function fingerprint(root) {
  const web = readdirSync(join(root, 'apps', 'web'))
    .filter((name) => name !== 'dist' && name !== 'node_modules')
    .toSorted()
  return computeFingerprint(root, [
    ...web.map((name) => `apps/web/${name}`),
    'packages/contract/src',
    'packages/sql-grammar/src',
    'package-lock.json',
    'tsconfig.base.json',
  ])
}

async function build(root, node) {
  const folder = join(root, 'apps', 'web')
  const args = ['--disable-warning=ExperimentalWarning', join(folder, 'scripts', 'build.ts')]
  const { code, output } = await runQuietly({ task: 'Building the web app', program: node, args, cwd: folder })
  if (code === 0) return
  const fileCode = /\b(ENOSPC|EDQUOT|EROFS|EACCES|EPERM)\b/.exec(output)?.[1]
  if (fileCode) throw problem(findFileSentence({ code: fileCode }, join(folder, 'dist')))
  process.stderr.write(output)
  throw problem('The web app could not be built; the reason is printed above.')
}
