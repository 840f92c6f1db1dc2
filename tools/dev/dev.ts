import { spawn, type ChildProcess } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const watched = ['apps/server/src', 'packages']
const settle = 150

let server = startServer()
let isRestarting = false
let isEnding = false

function startServer(): ChildProcess {
  return spawn(process.execPath, ['apps/server/src/main.ts'], { cwd: root, stdio: 'inherit' })
}

const web = spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'apps/web'], { cwd: root, stdio: 'inherit' })

async function restartServer(): Promise<void> {
  if (isRestarting || isEnding) return
  isRestarting = true
  await new Promise((resolve) => setTimeout(resolve, settle))
  await end(server)
  isRestarting = false
  if (!isEnding) server = startServer()
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

async function endAll(): Promise<void> {
  if (isEnding) return
  isEnding = true
  await Promise.all([end(server), end(web)])
  process.exit(0)
}

for (const folder of watched) {
  watch(join(root, folder), { recursive: true }, (_event, file) => {
    if (file && /\.(ts|sql)$/.test(file) && !/\.test\.ts$|node_modules/.test(file)) void restartServer()
  })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void endAll())
if (process.send !== undefined) process.on('disconnect', () => void endAll())
web.once('exit', () => void endAll())
