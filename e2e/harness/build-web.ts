import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..', '..')

type Lock = (work: () => Promise<unknown>) => Promise<unknown>

/** Skips the build when sources are unchanged. */
export async function buildWeb(): Promise<void> {
  const load = async (file: string) =>
    (await import(pathToFileURL(join(root, 'tools/bootstrap', file)).href)) as unknown
  const { takeTurns } = (await load('turn.mjs')) as { takeTurns: (root: string) => Lock }
  const { ensureWebBuild } = (await load('web-build.mjs')) as {
    ensureWebBuild: (about: { root: string; node: string; lock: Lock }) => Promise<void>
  }
  await ensureWebBuild({ root, node: process.execPath, lock: takeTurns(root) })
}
