import { linkSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from './processes.mjs'
import { asProblem, problem, say } from './say.mjs'

const patience = 15 * 60_000
const silence = 60_000

/** A lock: one install or build at a time in this folder. */
export function takeTurns(root) {
  const path = join(root, '.runtime', 'installing')
  let isHeld = false
  return async function lock(work) {
    if (isHeld) return await work()
    await take(path)
    isHeld = true
    const beating = setInterval(() => touch(path), 5000)
    try {
      return await work()
    } finally {
      clearInterval(beating)
      rmSync(path, { force: true })
      isHeld = false
    }
  }
}

async function take(path) {
  const until = Date.now() + patience
  for (let hasSaid = false; !tryTake(path); hasSaid = true) {
    const holder = readHolder(path)
    if (!isHeldBy(holder, path)) {
      rmSync(path, { force: true })
      continue
    }
    if (!hasSaid) say(`Another command (process ${holder}) is installing here; waiting for it.`)
    if (Date.now() > until)
      throw problem(`Process ${holder} has been installing for very long. End it, then try again.`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

function tryTake(path) {
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(draft, String(process.pid))
  } catch (error) {
    throw asProblem(error, path)
  }
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw asProblem(error, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function readHolder(path) {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {}
}

// The dead holder's pid may be reused, so a file that nobody touches counts as abandoned.
function isHeldBy(pid, path) {
  const touchedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return pid !== undefined && Date.now() - touchedAt < silence && isAlive(pid)
}
