import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

/** Debian's package, when root may install it; otherwise nothing happens. */
export function installPackage(name: string, called: string): void {
  if (process.getuid?.() !== 0 || !canRun('/usr/bin/apt-get')) return
  process.stdout.write(`Installing ${called} with apt-get…\n`)
  const apt = (...args: string[]) =>
    spawnSync('/usr/bin/apt-get', ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  const install = () => apt('install', '-y', '--no-install-recommends', name)
  if (!install()) {
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
