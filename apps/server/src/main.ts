import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Only modules loaded after this call are cached, so everything else is imported below it.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/trellis'))
const { run } = await import('./supervisor/run.ts')
await run()
