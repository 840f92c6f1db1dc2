import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

interface Wanted {
  called: string
  /** What only helps is not worth fetching the lists of all packages anew. */
  isNeeded: boolean
}

/** Debian's package, when root may install it; otherwise nothing happens. */
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
