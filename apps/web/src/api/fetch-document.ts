import { readApiError, unreachable } from './api-error.ts'

/** A JSON document of our own origin that is no call of the contract, such as the description of the API. */
export async function fetchDocument(path: `/${string}`, signal?: AbortSignal): Promise<unknown> {
  return await (await fetchFile(path, signal)).json()
}

/** A page or script of our own origin as text. */
export async function fetchText(path: `/${string}`): Promise<string> {
  return await (await fetchFile(path)).text()
}

async function fetchFile(path: `/${string}`, signal?: AbortSignal): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, signal ? { signal } : {})
  } catch {
    throw unreachable()
  }
  if (!response.ok) throw await readApiError(response)
  return response
}
