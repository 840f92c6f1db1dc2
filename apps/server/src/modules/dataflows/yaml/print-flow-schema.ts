import { getFlowSchema } from './flow-schema.service.ts'

process.stdout.write(`${JSON.stringify(getFlowSchema(), null, 2)}\n`)
