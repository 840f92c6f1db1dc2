import { layOut, type LayoutAnswer, type LayoutQuestion } from './layout.ts'

export type { LayoutAnswer, LayoutQuestion }

addEventListener('message', ({ data }: MessageEvent<LayoutQuestion>) => postMessage(layOut(data)))
