import type { Canvas } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Places } from '../model/changes.ts'
import type { LayoutAnswer, LayoutQuestion } from './layout.worker.ts'

interface Factory {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string }
}
const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
const policy = factory?.createPolicy('trellis-canvas-layout', { createScriptURL: (url) => url })

/** Layout in a worker, so that the page stays responsive. */
export async function arrangeBlocks(canvas: Canvas): Promise<Places> {
  const question: LayoutQuestion = {
    blocks: canvas.blocks.map(({ task_block_trellis_code, waits_for, metadata }) => ({
      id: task_block_trellis_code,
      after: waits_for,
      group: metadata.group_trellis_code,
    })),
  }
  const { default: url } = await import('./layout.worker.ts?worker&url')
  const worker = new Worker(policy ? policy.createScriptURL(url) : url, { type: 'module' })
  try {
    return await new Promise<LayoutAnswer>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => resolve(data))
      worker.addEventListener('error', ({ message }) => reject(new Error(message)))
      worker.postMessage(question, [])
    })
  } finally {
    worker.terminate()
  }
}
