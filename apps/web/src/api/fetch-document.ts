import { readApiError, unreachableError } from './api-error.ts'

export async function fetchDocument(path: `/${string}`, signal?: AbortSignal): Promise<unknown> {
  return await (await fetchFile(path, signal)).json()
}

export async function fetchText(path: `/${string}`): Promise<string> {
  return await (await fetchFile(path)).text()
}

async function fetchFile(path: `/${string}`, signal?: AbortSignal): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, signal ? { signal } : {})
  } catch {
    throw unreachableError()
  }
  if (!response.ok) throw await readApiError(response)
  return response
}
