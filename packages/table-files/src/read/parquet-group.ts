import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FileMetaData, RowGroup } from 'hyparquet'
import { type ByteSource, FileFault, readRange } from './byte-source.ts'
import type { GroupAnswer, GroupWork } from './parquet-child.ts'

const MAX_MEMORY_MB = 768
const TIMEOUT_MS = 5 * 60_000
const MAX_BYTES = 128 * 1024 * 1024

export const damagedParquetFault = (cause: unknown) =>
  new FileFault('The Parquet file is damaged or not complete. Send it again.', { cause })

interface RowGroupPosition {
  readonly metadata: FileMetaData
  readonly group: RowGroup
  readonly rowStart: number
  readonly rowEnd: number
}

export interface GroupReader {
  read(source: ByteSource, position: RowGroupPosition): AsyncGenerator<unknown[][]>
  close(): void
}

/**
 * The library trusts counts in the file: a few bytes can demand all memory or time. A child process has limits for
 * both; a thread would take this process down.
 */
export function openGroupReader(): GroupReader {
  const compiled = getCompileCacheDir()
  const child = fork(fileURLToPath(new URL('./parquet-child.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${MAX_MEMORY_MB}`],
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return {
    async *read(source, { metadata, group, rowStart, rowEnd }) {
      const [offset, end] = computeExtent(group)
      if (!(offset >= 0 && end <= source.size && end - offset <= MAX_BYTES)) throw damagedParquetFault(undefined)
      const bytes = await readRange(source, offset, end)
      yield* readAnswers(child, { metadata, bytes, offset, fileBytes: source.size, rowStart, rowEnd })
    },
    close: () => void child.kill('SIGKILL'),
  }
}

function computeExtent({ columns }: RowGroup): readonly [number, number] {
  let [start, end] = [Infinity, 0]
  for (const { meta_data: column } of columns) {
    if (!column) throw damagedParquetFault(undefined)
    const page = Number(column.data_page_offset)
    const dictionary = Number(column.dictionary_page_offset ?? 0)
    const first = dictionary > 0 ? Math.min(dictionary, page) : page
    start = Math.min(start, first)
    end = Math.max(end, first + Number(column.total_compressed_size))
  }
  return [start, end]
}

async function* readAnswers(child: ChildProcess, work: GroupWork): AsyncGenerator<unknown[][]> {
  const waiting: unknown[][][] = []
  let isOver = false
  let fault: Error | undefined
  let wake: () => void = () => undefined
  const end = (error?: Error) => {
    if (!isOver) fault = error
    isOver = true
    wake()
  }
  const onExit = () => end(new Error('The process that reads a group of rows ended.'))
  const onMessage = (answer: GroupAnswer) => {
    if ('end' in answer) return end(answer.problem === null ? undefined : new Error(answer.problem))
    waiting.push(answer.rows)
    wake()
  }
  const timer = setTimeout(() => end(new Error('Reading a group of rows took too long.')), TIMEOUT_MS)
  child.on('message', onMessage).on('exit', onExit).on('error', onExit)
  try {
    if (!child.connected) onExit()
    else child.send(work, (error) => error && end(error))
    for (;;) {
      const next = waiting.shift()
      if (next) yield next
      else if (isOver) break
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    clearTimeout(timer)
    child.off('message', onMessage).off('exit', onExit).off('error', onExit)
  }
  if (fault) throw damagedParquetFault(fault)
}
