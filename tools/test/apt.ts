import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

interface Wanted {
  called: string
  /** An optional package is not worth `apt-get update`. */
  isNeeded: boolean
}

export function installPackage(name: string, { called, isNeeded }: Wanted): void {
  if (process.getuid?.() !== 0 || !canRun('/usr/bin/apt-get')) return
  process.stdout.write(`Installing ${called} with apt-get…\n`)
  const apt = (...args: string[]) =>
    spawnSync('/usr/bin/apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', isNeeded ? 'inherit' : 'ignore'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  const install = () => apt('install', '-y', '--no-install-recommends', name)
  if (!install() && isNeeded) {
    apt('update')
    install()
  }
}

export function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
