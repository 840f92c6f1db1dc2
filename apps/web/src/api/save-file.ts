import type { Endpoint } from '@trellis/contract/core/endpoint'
import { readApiError } from './api-error.ts'
import { buildRequest } from './request.ts'
import { answerTo } from './send.ts'
import { withSession } from './with-session.ts'

/** The file is held in memory: for small files only. */
export async function saveFile<Call>(endpoint: Endpoint<Call>, input: NoInfer<Call>, name: string): Promise<void> {
  const request = buildRequest(endpoint, input)
  const response = await withSession(async (token) => {
    const answer = await answerTo(request, { token })
    if (!answer.ok) throw await readApiError(answer)
    return answer
  })
  saveBlob(await response.blob(), name)
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers save an empty file when the URL is revoked at once.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
