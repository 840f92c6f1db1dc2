import { listPackages as packagesCall } from '@trellis/contract/dataflows/canvas.endpoints'
import { sampleBlock as sampleCall } from '@trellis/contract/dataflows/samples.endpoints'
import { listPackages } from '@trellis/sandbox/package-list'
import { type Route, handle } from '../../../http/handle.ts'
import { sampleBlock } from './sample-block.ts'

export const samplesRoutes: readonly Route[] = [
  handle(packagesCall, async () => listPackages()),
  handle(sampleCall, ({ params, body }, ctx) => sampleBlock(ctx, params.task_block_trellis_code, body)),
]
