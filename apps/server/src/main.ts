import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Only modules loaded after this are cached, hence the dynamic import.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/trellis'))
const { run } = await import('./supervisor/run.ts')
await run()
