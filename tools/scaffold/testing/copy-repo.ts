import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repoFiles } from '../../check/repo-files.ts'

/** Shares the installed libraries, but not the workspaces' packages. */
export function copyRepo(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'trellis-scaffold-'))
  for (const path of repoFiles(root)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    copyFileSync(join(root, path), join(copy, path))
  }
  for (const folder of ['', ...workspaces(root)]) linkLibraries(join(root, folder), join(copy, folder))
  mkdirSync(join(copy, 'node_modules/@trellis'))
  for (const folder of workspaces(copy)) {
    const name = folder.split('/')[1] ?? ''
    symlinkSync(join(copy, folder), join(copy, 'node_modules/@trellis', name))
  }
  return copy
}

function workspaces(root: string): string[] {
  return ['apps', 'packages'].flatMap((top) => readdirSync(join(root, top)).map((name) => `${top}/${name}`))
}

function linkLibraries(from: string, to: string): void {
  if (!existsSync(join(from, 'node_modules'))) return
  mkdirSync(join(to, 'node_modules'), { recursive: true })
  for (const name of readdirSync(join(from, 'node_modules'))) {
    if (name === '@trellis' || name === '.cache' || name.startsWith('.vite')) continue
    symlinkSync(join(from, 'node_modules', name), join(to, 'node_modules', name))
  }
}
