import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureDependencies } from './dependencies.mjs'
import { findNode } from './node-runtime.mjs'
import { runCommand } from './run-command.mjs'
import { asProblem, problem } from './say.mjs'
import { takeTurns } from './turn.mjs'
import { ensureWebBuild } from './web-build.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const webBenches = ['assistant', 'canvas', 'charts', 'completion', 'web']

const commands = {
  start: { args: ['apps/server/src/main.ts'], needsWeb: true },
  build: { needsWeb: true },
  dev: { args: ['tools/dev/dev.ts'] },
  test: { args: ['tools/test/run.ts'], needsWeb: true },
  'test-quick': { args: ['tools/test/run.ts', '--quick'] },
  check: { args: ['tools/check/check.ts'] },
  e2e: { args: ['node_modules/@playwright/test/cli.js', 'test'], needsWeb: true },
  pictures: { args: ['e2e/pictures/take-pictures.ts'], needsWeb: true },
  bench: {
    args: ['bench/run.ts'],
    needsWeb: ([name]) => name === undefined || name.startsWith('--') || webBenches.includes(name),
  },
  chaos: { args: ['chaos/main.ts'], missing: 'There is no chaos suite yet.' },
  trellis: { args: ['apps/cli/src/main.ts'] },
  'trellis admin': { args: ['apps/server/src/admin/main.ts'] },
  sign: { args: ['tools/release/sign.ts'] },
  openapi: { args: ['apps/server/src/http/print-openapi.ts'] },
  'new-feature': { args: ['tools/scaffold/new-feature.ts'] },
  'new-connector': { args: ['tools/scaffold/new-connector.ts'] },
  'new-migration': { args: ['tools/scaffold/new-migration.ts'] },
}

async function main(given) {
  const length = given[0] === 'trellis' && given[1] === 'admin' ? 2 : 1
  const [name, rest] = [given.slice(0, length).join(' '), given.slice(length)]
  const command = commands[name]
  if (!command) throw problem(`Unknown command "${name}". The commands are: ${Object.keys(commands).join(', ')}.`)
  if (process.platform === 'win32') throw problem('Trellis runs on Linux and macOS. On Windows, use it inside WSL.')
  if (command.missing && !existsSync(join(root, command.args[0]))) throw problem(command.missing)
  const lock = takeTurns(root)
  const node = await findNode(root, lock)
  await ensureDependencies(root, lock)
  const needsWeb = typeof command.needsWeb === 'function' ? command.needsWeb(rest) : command.needsWeb
  if (needsWeb) await ensureWebBuild({ root, node, lock })
  if (!command.args) return 0
  return await runCommand({ node, args: [...command.args, ...rest], root })
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const shown = asProblem(error, root)
  process.stderr.write(`${shown.name === 'Problem' ? shown.message : (shown.stack ?? shown)}\n`)
  process.exitCode = 1
}
