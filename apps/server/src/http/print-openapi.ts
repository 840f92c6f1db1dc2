import { allEndpoints } from '@trellis/contract/all-endpoints'
import { buildOpenapi } from './openapi/build-openapi.ts'

process.stdout.write(`${JSON.stringify(buildOpenapi(allEndpoints), null, 2)}\n`)
