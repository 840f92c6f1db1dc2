import { existsSync, mkdirSync, readFileSync, readdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeFingerprint } from './fingerprint.mjs'
import { runNpm } from './npm.mjs'
import { asProblem, problem } from './say.mjs'

const spacePerPackage = 1.1e6
const fields = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'workspaces']

export async function ensureDependencies(root, lock) {
  if (isInstalled(root)) return
  await lock(async () => {
    if (isInstalled(root)) return
    if (!isInstalledByHand(root)) {
      requireSpace(root)
      await runNpm({ task: 'Installing dependencies', args: ['ci'], cwd: root })
    }
    try {
      mkdirSync(join(root, 'node_modules'), { recursive: true })
      writeFileSync(toStampPath(root), fingerprint(root))
    } catch (error) {
      throw asProblem(error, toStampPath(root))
    }
  })
}

// On a full disk npm retries for minutes and may then exit with 0.
function requireSpace(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const needed = Object.keys(packages).length * spacePerPackage
  const { bavail, bsize } = statfsSync(root)
  if (bavail * bsize > needed) return
  const megabytes = Math.round(needed / 1e6)
  throw problem(
    `The disk is nearly full: installing into ${root} needs ${megabytes} MB. Free some space and try again.`,
  )
}

function isInstalled(root) {
  const stamp = toStampPath(root)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(root)
}

/** Detects a manual `npm install` by comparing npm's own lock file. */
function isInstalledByHand(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return isSameManifest(join(root, path, 'package.json'), entry)
    const there = installed[path]
    if (!there) return entry.optional === true
    return there.version === entry.version && there.integrity === entry.integrity
  })
}

function readPackages(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined
}

const manifestFields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

function isSameManifest(path, entry) {
  if (!existsSync(path)) return true
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const toText = (list) =>
    JSON.stringify(Object.entries(list ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return manifestFields.every((field) => toText(manifest[field]) === toText(entry[field]))
}

// Removed by `npm ci` with node_modules, so an interrupted install is repeated.
function toStampPath(root) {
  return join(root, 'node_modules', '.trellis-installed')
}

function fingerprint(root) {
  const wanted = [root, ...listWorkspaces(root)].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return fields.map((field) => manifest[field] ?? null)
  })
  return computeFingerprint(root, ['package-lock.json'], JSON.stringify([process.platform, process.arch, wanted]))
}

function listWorkspaces(root) {
  return ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group))
      .toSorted()
      .map((name) => join(root, group, name))
      .filter((folder) => existsSync(join(folder, 'package.json'))),
  )
}
