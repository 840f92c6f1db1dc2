import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { findParent, isAlive } from './processes.mjs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']

export function runCommand({ node, args, root }) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], {
      cwd: root,
      // The IPC channel tells the command when this process is killed.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    for (const signal of signals) process.on(signal, () => child.kill(signal))
    watchParent(() => child.kill('SIGTERM'))
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

// If npm is killed, its script goes on without a terminal. There may be a shell between npm and this process.
function watchParent(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const grandparent = findParent(parent)
  const watching = setInterval(() => {
    if (process.ppid === parent && (grandparent <= 1 || isAlive(grandparent))) return
    clearInterval(watching)
    onGone()
  }, 500)
  watching.unref()
}
