import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

/** One file without dependencies: Node does not strip types below node_modules, and our packages are not published. */
await rm(dist, { recursive: true, force: true })
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: join(root, 'src', 'main.ts'),
    outDir: dist,
    target: 'node22',
    rolldownOptions: { output: { entryFileNames: 'trellis.js', format: 'es', codeSplitting: false } },
  },
})
