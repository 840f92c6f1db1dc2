import {
  deleteFile,
  finishUpload,
  getFileMetadata,
  sendPart,
  startUpload,
} from '@trellis/contract/uploads/uploads.endpoints'
import type { UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import { useEffect, useRef, useState } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { sendBytes } from '../../../api/send-bytes.ts'
import type { UploadScope } from '../upload-scope.ts'
import { isSameFile, partRange, receivedBytes } from './parts.ts'
import { sendParts, waitFor } from './send-parts.ts'
import { computeSpeed, withSample, type Sample } from './speed.ts'

export interface Transfer {
  phase: 'idle' | 'starting' | 'sending' | 'paused' | 'finishing' | 'failed'
  name: string
  size: number
  sent: number
  speed: number | null
  problem: string | null
}

const IDLE: Transfer = { phase: 'idle', name: '', size: 0, sent: 0, speed: null, problem: null }

interface Options {
  scope: UploadScope
  /** An unfinished upload to resume. */
  begun: UploadFile | null
  onStarted: (file: UploadFile) => void
  onFinished: (file: UploadFile) => void
}

/** Leaving the page pauses it: parts that arrived are kept. */
export function useTransfer({ scope, begun, onStarted, onFinished }: Options) {
  const [transfer, setTransfer] = useState(IDLE)
  const selected = useRef<{ bytes: File; fileId: string } | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const patch = (change: Partial<Transfer>) => setTransfer((oldTransfer) => ({ ...oldTransfer, ...change }))
  const isBusy = transfer.phase === 'sending' || transfer.phase === 'starting' || transfer.phase === 'finishing'

  const run = async (file: UploadFile, bytes: File) => {
    const control = new AbortController()
    running.current = control
    const params = { ...scope.address, file_id: file.file_id }
    let samples: Sample[] = []
    patch({ phase: 'sending', problem: null, sent: receivedBytes(file), speed: null })
    await sendParts(file, control.signal, {
      send: (part, options) => {
        const { start, end } = partRange(part, file)
        return sendBytes(sendPart, { params: { ...params, part } }, { bytes: bytes.slice(start, end), ...options })
      },
      onProgress: (sent) => {
        samples = withSample(samples, { instant: performance.now(), bytes: sent })
        patch({ sent, speed: computeSpeed(samples) })
      },
      onTrouble: (problem) => patch({ problem }),
      wait: waitFor,
    })
    patch({ phase: 'finishing' })
    onFinished(await call(finishUpload, { params }, { signal: control.signal }))
  }
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!running.current?.signal.aborted) patch({ phase: 'failed', problem: getErrorDetail(error) })
    }
  }
  const start = (bytes: File) => {
    if (begun && !isSameFile(begun, bytes)) {
      setTransfer({ ...IDLE, problem: `This is not ${begun.original_filename} as it was begun. Choose the same file.` })
      return
    }
    if (bytes.size === 0) {
      setTransfer({ ...IDLE, problem: `${bytes.name} is empty. Choose a file with rows in it.` })
      return
    }
    running.current = null
    setTransfer({ ...IDLE, phase: 'starting', name: bytes.name, size: bytes.size })
    void attempt(async () => {
      const file = begun ?? (await call(startUpload, { params: scope.address, body: toStartUpload(scope, bytes) }))
      selected.current = { bytes, fileId: file.file_id }
      onStarted(file)
      await run(file, bytes)
    })
  }
  const pause = () => {
    running.current?.abort(new DOMException('Paused', 'AbortError'))
    patch({ phase: 'paused', problem: null, speed: null })
  }
  const resume = () => {
    const selectedFile = selected.current
    if (!selectedFile) return
    running.current = null
    patch({ phase: 'starting', problem: null })
    void attempt(async () => {
      const params = {
        ...scope.address,
        integration_trellis_code: scope.database,
        file_id_table_id: selectedFile.fileId,
      }
      await run(await call(getFileMetadata, { params }), selectedFile.bytes)
    })
  }
  /** Deletes the parts that arrived. */
  const cancel = async () => {
    running.current?.abort(new DOMException('Cancelled', 'AbortError'))
    const fileId = selected.current?.fileId ?? begun?.file_id
    const params = { ...scope.address, integration_trellis_code: scope.database, file_id: fileId ?? '' }
    if (fileId !== undefined) await call(deleteFile, { params })
    selected.current = null
    setTransfer(IDLE)
  }
  return { transfer, isBusy, start, pause, resume, cancel }
}

function toStartUpload(scope: UploadScope, bytes: File) {
  return {
    integration_trellis_code: scope.database,
    schema_name: scope.schema,
    original_filename: bytes.name,
    size_bytes: bytes.size,
    mode: scope.mode,
    ...(scope.table !== null && { table_name: scope.table }),
  }
}
