import * as calls from '@trellis/contract/sandbox/sandbox.endpoints'
import { handle } from '../../http/handle.ts'
import { getSandbox, resetSandbox } from './sandbox.ts'

export const sandboxRoutes = [
  handle(calls.getSandbox, (_, ctx) => getSandbox(ctx)),
  handle(calls.resetSandbox, (_, ctx) => resetSandbox(ctx)),
]
