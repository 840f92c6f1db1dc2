import type { FrameRows, ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import { SparkBlock } from '@trellis/contract/sparks/spark-content.schemas'
import * as z from 'zod/mini'
import { parseNumber } from '../../charts/data/aggregates.ts'
import type { Host } from '../bridge/connect-host.ts'

type Value = string | number | boolean | null

interface SparkRows extends FrameRows {
  objects: Record<string, Value>[]
}

/** The `spark` object, documented in docs/handbook/data/sparks.md. */
interface SparkApi {
  readonly root: HTMLElement
  readonly sources: readonly string[]
  readonly parameters: Readonly<ParameterValues>
  readonly theme: 'light' | 'dark'
  setParameters(change: ParameterValues): void
  rows(source: string, parameters?: ParameterValues): Promise<SparkRows>
  render(element: Element, block: unknown): () => void
  onChange(listener: () => void): () => void
}

type Draw = (element: Element, block: SparkBlock) => () => void

export function createSparkApi(host: Host, root: HTMLElement, draw: Draw): SparkApi {
  const getState = () => {
    const state = host.getState()
    if (!state) throw new Error('The frame has not been started')
    return state
  }
  return {
    root,
    get sources() {
      return getState().content.sources.map(({ key }) => key)
    },
    get parameters() {
      return { ...getState().parameters }
    },
    get theme() {
      return getState().theme.mode
    },
    setParameters: (change) => host.setParameters(change),
    async rows(source, parameters = {}) {
      const rows = await host.readRows(source, { ...getState().parameters, ...parameters })
      return { ...rows, objects: rows.rows.map((row) => toObject(rows, row)) }
    },
    render(element, block) {
      const { success, data, error } = z.safeParse(SparkBlock, block)
      if (!success) {
        const [issue] = error.issues
        throw new Error(`This is no block: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
      }
      return draw(element, data)
    },
    onChange: (listener) => host.subscribe(listener),
  }
}

function toObject({ columns }: FrameRows, row: readonly (string | null)[]): Record<string, Value> {
  return Object.fromEntries(
    columns.map(({ name, kind }, at) => {
      const text = row[at] ?? null
      if (kind === 'integer' || kind === 'decimal') return [name, parseNumber(text)]
      return [name, kind === 'boolean' && text !== null ? text === 't' || text === 'true' : text]
    }),
  )
}

type AsyncCode = (spark: SparkApi) => Promise<unknown>
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  name: string,
  code: string,
) => AsyncCode

/** Runs in the frame's realm; the opaque origin and the CSP isolate it. */
export async function runCode(code: string, spark: SparkApi): Promise<void> {
  await new AsyncFunction('spark', `'use strict';\n${code}`)(spark)
}
