import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

export interface WorkerProgram {
  readonly file: string
  readonly cache: string
  remove(): Promise<void>
}

/** One bundled file: hundreds of workers are started, and loading the sources takes seconds. */
export async function bundleWorker(): Promise<WorkerProgram> {
  const parent = join(import.meta.dirname, '../node_modules/.cache')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'chaos-'))
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['pg-native'] },
    build: {
      ssr: join(import.meta.dirname, 'worker.ts'),
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'node24',
      rolldownOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  })
  return {
    file: join(folder, 'worker.mjs'),
    cache: join(folder, 'compiled'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
