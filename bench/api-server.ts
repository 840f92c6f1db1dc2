import { runApi } from '../apps/server/src/api.ts'
import { readConfig } from '../apps/server/src/platform/config.ts'

await runApi(readConfig())
process.send?.('ready')
process.on('disconnect', () => process.exit())
